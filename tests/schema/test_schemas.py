"""Every document that pimbb writes follows its schema (docs/schema), and a changed one does not."""
import copy
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

import jsonschema

import documents

FOLDER = pathlib.Path(sys.argv.pop(2))
PIMBB = os.path.abspath(sys.argv.pop(1))
SOURCES = FOLDER.parents[1] / "src"

# Lines without a format, by the option that writes them.
LINES = {"stream.jsonl": "pimbb-crossbar-stream", "timeline.jsonl": "pimbb-cim-timeline"}


def all_schemas():
    return {path.stem: json.loads(path.read_text(encoding="utf-8"))
            for path in FOLDER.glob("pimbb-*.json")}


def format_of(file, document):
    if file in LINES:
        return LINES[file]
    if "event" in document:
        return "pimbb-log"
    return document["format"].rsplit("/", 1)[0]


def mutilated(document):
    """The document with a key too many; and, for each of its keys, without it."""
    changed = copy.deepcopy(document)
    changed["surplus"] = 1
    yield "surplus", changed
    for key in document:
        changed = copy.deepcopy(document)
        del changed[key]
        yield key, changed


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schemas = all_schemas()
        cls.validators = {}
        for name, schema in cls.schemas.items():
            jsonschema.Draft202012Validator.check_schema(schema)
            cls.validators[name] = jsonschema.Draft202012Validator(schema)
        with tempfile.TemporaryDirectory(prefix="pimbb-schemas-") as folder:
            cls.written = [(words, format_of(file, document), document)
                           for words, file, lines in documents.run_all(PIMBB, folder)
                           for document in lines]

    def test_every_document_follows_its_schema(self):
        for words, name, document in self.written:
            with self.subTest(command=" ".join(words), format=name):
                error = jsonschema.exceptions.best_match(
                    self.validators[name].iter_errors(document))
                self.assertIsNone(error, error and f"{list(error.absolute_path)}: {error.message[:300]}")

    def test_every_schema_has_a_document(self):
        self.assertEqual(set(self.schemas), {name for _, name, _ in self.written})

    def test_changed_documents_are_refused(self):
        seen = set()
        for _, name, document in self.written:
            if name in seen or name == "pimbb-log":
                continue
            seen.add(name)
            refused = {key for key, changed in mutilated(document)
                       if not self.validators[name].is_valid(changed)}
            with self.subTest(format=name):
                self.assertIn("surplus", refused)
                required = set(self.schemas[name].get("required", []))
                self.assertTrue(required, "nothing is required")
                self.assertTrue(required <= refused, required - refused)
                for key in required:
                    wrong = {**document, key: [["neither", 0]]}
                    self.assertFalse(self.validators[name].is_valid(wrong), key)

    def test_lines_of_logs_are_refused_when_changed(self):
        for _, name, document in self.written:
            if name == "pimbb-log":
                for change in ({"surplus": 1}, {"event": "another"}):
                    self.assertFalse(self.validators[name].is_valid({**document, **change}))

    def test_schemas_name_their_version(self):
        for name, schema in self.schemas.items():
            with self.subTest(format=name):
                self.assertEqual(schema["$id"].removeprefix("https://pimbb.invalid/schema/"), schema["title"])
                self.assertRegex(schema["title"], f"^{name}/[0-9]+$")

    def test_objects_are_closed(self):
        def check(node, path):
            if isinstance(node, list):
                for i, item in enumerate(node):
                    check(item, f"{path}[{i}]")
            elif isinstance(node, dict):
                if "properties" in node and not path.endswith("properties"):
                    self.assertIn("additionalProperties", node, path)
                for key, value in node.items():
                    check(value, f"{path}.{key}")
        for name, schema in self.schemas.items():
            check(schema, name)

    def test_every_format_of_the_sources_has_a_schema(self):
        formats = set()
        for path in SOURCES.rglob("*.[ch]pp"):
            formats.update(re.findall(r'"(pimbb-[a-z-]+)/[0-9]+"', path.read_text(encoding="utf-8")))
        texts = {"pimbb-proof", "pimbb-cim-proof", "pimbb-crossbar-proof", "pimbb-padded-proof",
                 "pimbb-device-proof", "pimbb-front-proof", "pimbb-cim-front-proof",
                 "pimbb-crossbar-front-proof", "pimbb-journal"}  # their own formats of lines
        self.assertEqual(formats - texts - set(self.schemas), set())


if __name__ == "__main__":
    unittest.main()
