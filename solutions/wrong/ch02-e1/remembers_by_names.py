"""Makes a manifest once for each set of names.

rejected by: a schema that changes later does not change a manifest that was made before
must say: each call makes its manifest anew
"""


made = {}


def manifest(registry):
    names = tuple(sorted(registry))
    if names not in made:
        made[names] = [
            {"name": name, "description": registry[name].description, "schema": deepcopy(registry[name].schema)}
            for name in names
        ]
    return deepcopy(made[names])
