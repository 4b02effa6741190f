"""Index one module: a pass over its statements that never descends into expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from compilelint.source.model import (
    Assignment,
    Binding,
    ClassInfo,
    Definition,
    FunctionInfo,
    Import,
    Key,
    ModuleIndex,
)
from compilelint.source.nodes import walk
from compilelint.source.text import SourceText


def index_module(
    text: SourceText, dotted: str, is_package: bool, parse: Callable[[str], ast.Module] = ast.parse
) -> ModuleIndex:
    """Parse and index one file.

    Raises SyntaxError, or RecursionError and MemoryError for code that nests too deep for CPython's parser.
    """
    tree = parse(text.text)
    package = dotted if is_package else dotted.rpartition(".")[0]
    module = ModuleIndex(text.name, dotted, package, tree, text.text.split("\n"))
    _index_body(module, tree.body, scope="", owner=None, parent=None)
    unless: dict[int, tuple[str, ...]] = {}
    never_run: set[int] = set()
    for statement in flat_statements(tree.body):
        if id(statement) in never_run:
            continue
        match statement:
            case ast.ImportFrom() if any(alias.name == "*" for alias in statement.names):
                module.star_imports.append(absolute_import(statement, package))
            case ast.Try():
                unless.update(_instead(statement, package))
            case ast.If(orelse=[_, *_]) if _asks_for_type_checker(statement.test):
                never_run.update(_stand_ins(statement))
        imported = unless.get(id(statement))
        for name, binding in statement_bindings(statement, text.name, package):
            module.bindings.setdefault(name, []).append(replace(binding, unless=imported) if imported else binding)
    return module


def _asks_for_type_checker(test: ast.expr) -> bool:
    match test:
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return True
        case _:
            return False


def _stand_ins(statement: ast.If) -> Iterator[int]:
    """The functions (by identity of the statement) that only a type checker sees, in place of what the `else` binds.

    What is imported there counts: packages that load lazily have their names from it, and annotations mean it.
    """
    bound = {target for each in flat_statements(statement.orelse) for target in _names_bound(each)}
    for each in flat_statements(statement.body):
        is_function = isinstance(each, ast.FunctionDef) or (
            isinstance(each, ast.Assign) and isinstance(each.value, ast.Lambda)
        )
        if is_function and bound.issuperset(_names_bound(each)):
            yield id(each)


def _names_bound(statement: ast.stmt) -> list[str]:
    return [name for name, _ in statement_bindings(statement, "", "")]


def _instead(statement: ast.Try, package: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The statements (by identity) that run only where what a `try` imports, and these names, are not there."""
    imported = tuple(name for each in flat_statements(statement.body) for name in _imported(each, package))
    if not imported or not all(isinstance(each, _HARMLESS) for each in flat_statements(statement.body)):
        return
    for handler in statement.handlers:
        for each in flat_statements(handler.body):
            yield id(each), imported


_HARMLESS = (ast.Import, ast.ImportFrom, ast.Assign, ast.Pass)
"""Statements that do not fail once what they import is there, as far as is likely."""


def _imported(statement: ast.stmt, package: str) -> list[str]:
    match statement:
        case ast.Import(names=aliases):
            return [alias.name for alias in aliases]
        case ast.ImportFrom(names=aliases):
            return [f"{absolute_import(statement, package)}.{alias.name}" for alias in aliases]
        case _:
            return []


def node_key(name: str, node: ast.AST) -> Key:
    """The key of a `def`, `lambda` or `class` in the file of that name."""
    return (name, getattr(node, "lineno", 0), getattr(node, "col_offset", 0))


def absolute_import(statement: ast.ImportFrom, package: str) -> str:
    """The absolute dotted name of the module that `from … import` names."""
    if not statement.level:
        return statement.module or ""
    parts = package.split(".") if package else []
    base = parts[: len(parts) - statement.level + 1]
    return ".".join([*base, statement.module] if statement.module else base)


def flat_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a scope, those in its compound statements too, but not those of functions and classes in it."""
    for statement in body:
        yield statement
        if type(statement) not in _SIMPLE:
            for block in blocks(statement):
                yield from flat_statements(block)


_SIMPLE = frozenset(
    {ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Raise, ast.Assert, ast.Import, ast.ImportFrom}
    | {ast.FunctionDef, ast.ClassDef, ast.Pass}
)
"""Statements without blocks of the same scope: most."""


def blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The bodies of a compound statement that belong to the same scope."""
    match statement:
        case ast.If() | ast.For() | ast.AsyncFor() | ast.While():
            yield statement.body
            yield statement.orelse
        case ast.With() | ast.AsyncWith():
            yield statement.body
        case ast.Match():
            for case in statement.cases:
                yield case.body
        case ast.Try():
            yield from _try_blocks(statement)
        case _ if type(statement).__name__ == "TryStar":
            yield from _try_blocks(statement)  # type: ignore[arg-type]


def _try_blocks(statement: ast.Try) -> Iterator[list[ast.stmt]]:
    yield statement.body
    for handler in statement.handlers:
        yield handler.body
    yield statement.orelse
    yield statement.finalbody


def statement_bindings(statement: ast.stmt, name: str, package: str) -> Iterator[tuple[str, Binding]]:
    """The names that one simple statement binds in its scope."""
    match statement:
        case ast.Import(names=aliases):
            for alias in aliases:
                if alias.asname:
                    yield alias.asname, Import(alias.name)
                else:
                    head = alias.name.partition(".")[0]
                    yield head, Import(head)
        case ast.ImportFrom(names=aliases):
            source = absolute_import(statement, package)
            for alias in aliases:
                if alias.name != "*":
                    yield alias.asname or alias.name, Import(f"{source}.{alias.name}".removeprefix("."))
        case ast.FunctionDef() | ast.AsyncFunctionDef() if _is_overload_or_setter(statement):
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield statement.name, Definition(node_key(name, statement))
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _target_bindings(target, value, ())
        case ast.AnnAssign(target=ast.Name(id=target_name)):
            yield target_name, Assignment(statement.value, statement.annotation)


def _target_bindings(target: ast.expr, value: ast.expr, path: tuple[int, ...]) -> Iterator[tuple[str, Binding]]:
    match target:
        case ast.Name(id=name):
            yield name, Assignment(value, path=path)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for position, part in enumerate(elements):
                yield from _target_bindings(part, value, (*path, position))


def _index_body(module: ModuleIndex, body: list[ast.stmt], scope: str, owner: Key | None, parent: Key | None) -> None:
    for statement in flat_statements(body):
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                key = node_key(module.name, statement)
                qualname = scope + statement.name
                module.functions[key] = FunctionInfo(key, qualname, statement, owner, parent)
                _index_body(module, statement.body, f"{qualname}.<locals>.", None, key)
            case ast.ClassDef():
                key = node_key(module.name, statement)
                qualname = scope + statement.name
                module.classes[key] = _class_info(module, statement, key, qualname, parent)
                _index_body(module, statement.body, f"{qualname}.", key, parent)


def _class_info(module: ModuleIndex, node: ast.ClassDef, key: Key, qualname: str, parent: Key | None) -> ClassInfo:
    methods: dict[str, Key] = {}
    attributes: dict[str, Assignment] = {}
    classes: dict[str, Key] = {}
    for statement in flat_statements(node.body):
        for name, binding in statement_bindings(statement, module.name, module.package):
            match binding:
                case Definition() if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                    methods[name] = binding.key
                case Definition():
                    classes[name] = binding.key
                case Assignment():
                    attributes[name] = binding
    return ClassInfo(key, qualname, node, parent, methods, attributes, classes)


def _is_overload_or_setter(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(
        (isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "deleter", "overload", "_overload"))
        or (isinstance(decorator, ast.Name) and decorator.id in ("overload", "_overload"))
        for decorator in node.decorator_list
    )


def index_lambdas(module: ModuleIndex, line: int) -> None:
    """Add the lambdas at a line, and those around them, to the module's functions: rare, so this waits until one is
    called."""
    if line in module.lambdas_indexed:
        return
    module.lambdas_indexed.add(line)
    for part in _parts_at(module.tree.body, line):
        for node in walk(part):
            if isinstance(node, ast.Lambda):
                key = node_key(module.name, node)
                module.functions.setdefault(key, FunctionInfo(key, "<lambda>", node))


def _parts_at(statements: list[ast.stmt], line: int) -> Iterator[ast.AST]:
    """The statements of a module at a line; of a class those of its body, and what stands before it."""
    for statement in statements:
        decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
        first = min((decorator.lineno for decorator in decorators), default=statement.lineno)
        if first <= line <= (statement.end_lineno or first):
            if isinstance(statement, ast.ClassDef):
                yield from (*statement.decorator_list, *statement.bases, *statement.keywords)
                yield from _parts_at(statement.body, line)
            else:
                yield statement
