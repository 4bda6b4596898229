"""Write files atomically: a reader sees the whole file or none."""


def write(path, text):
    unfinished = path.with_name(path.name + ".part")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)
