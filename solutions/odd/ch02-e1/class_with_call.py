"""An object that copies by hand and keeps its list sorted by inserting."""

from bisect import insort


class Manifest:
    """Makes manifests."""

    def copied(self, value):
        if isinstance(value, dict):
            return {key: self.copied(item) for key, item in value.items()}
        return [self.copied(item) for item in value] if isinstance(value, list) else value

    def __call__(self, registry):
        made = []
        for name, tool in registry.items():
            insort(made, dict(name=name, description=tool.description, schema=self.copied(tool.schema)), key=lambda e: e["name"])
        return made


manifest = Manifest()
