"""How Sphinx makes the pages of the course. Nothing here or in what it makes is fetched from elsewhere."""

project = "Agent loops that can be trusted"
extensions = ["myst_nb", "sphinx_design", "sphinx_copybutton"]
exclude_patterns = ["made"]
highlight_language = "text"  # of a fence that names none
smartquotes = False  # quoted texts stay as they are in the notebook

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # the notebooks come with the outputs of their solved form
nb_ipywidgets_js = {}

html_theme = "sphinx_book_theme"
html_title = project
html_static_path = ["_static"]
html_css_files = ["course.css"]
html_favicon = "_static/favicon.svg"
html_context = {"default_mode": "auto"}
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_sidebars = {"**": ["navbar-logo.html", "search-field.html", "sbt-sidebar-nav.html"]}
html_theme_options = {
    "max_navbar_depth": 1,
    "show_toc_level": 2,
    "home_page_in_toc": True,
    "use_download_button": False,
    "use_repository_button": False,
    "navbar_persistent": [],
    "footer_content_items": [],
    "search_bar_text": "Search the course",
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
