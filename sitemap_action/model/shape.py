"""The shape of an entry: its elements and attributes without their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from sys import intern
from types import MappingProxyType
from typing import cast

_NO_ATTRIBUTES: Mapping[str, int] = MappingProxyType({})


@dataclass(slots=True, eq=False, repr=False)
class Element:
    """One element of an entry: its name, its attributes' slots, its text's slot, its children."""

    name: str
    ordinal: int
    path: str
    # Most elements have neither, and a hostile file has millions of them: one empty object serves all.
    attributes: Mapping[str, int] = field(default_factory=lambda: _NO_ATTRIBUTES)
    text: int | None = None
    children: Sequence[Element] = ()

    def named(self, name: str) -> list[Element]:
        return [child for child in self.children if child.name == name]

    @property
    def empty(self) -> bool:
        """Neither text nor children: for a field, the same as not there."""
        return self.text is None and not self.children


class Shape:
    """What is left of an entry when its values are taken out; entries with one shape share it.

    The tokens are, in document order: an element's name, `@name` for each attribute, `#` for
    text that is not blank, `/` for the element's end. Each `@` and `#` is a slot for a value.
    """

    def __init__(self, tokens: tuple[str, ...]) -> None:
        self.tokens = tokens
        self.root = Element("", 0, "")
        self.elements: list[Element] = [self.root]
        self.slots: list[tuple[str, int]] = []
        self.stray: list[Element] = []  # those with text between their children
        self._build()

    def _build(self) -> None:
        stack = [self.root]
        texts: dict[int, list[int]] = {}
        for token in self.tokens:
            top = stack[-1]
            if token == "/":
                stack.pop()
            elif token == "#":
                texts.setdefault(top.ordinal, []).append(len(self.slots))
                self.slots.append((top.path, top.ordinal))
            elif token[0] == "@":
                if not top.attributes:
                    top.attributes = {}
                cast("dict[str, int]", top.attributes)[token[1:]] = len(self.slots)
                self.slots.append((intern(top.path + token), top.ordinal))
            else:
                child = Element(token, len(self.elements), intern(f"{top.path}/{token}" if top.path else token))
                if not top.children:
                    top.children = []
                cast(list[Element], top.children).append(child)
                self.elements.append(child)
                stack.append(child)
        for ordinal, slots in texts.items():
            self._place_text(self.elements[ordinal], slots)

    def _place_text(self, element: Element, slots: list[int]) -> None:
        if element is self.root or element.children:
            for slot in slots:
                self.slots[slot] = (element.path + "#stray", element.ordinal)
            self.stray.append(element)
        else:
            element.text = slots[0]

    @property
    def children(self) -> Sequence[Element]:
        return self.root.children

    def named(self, name: str) -> list[Element]:
        return self.root.named(name)
