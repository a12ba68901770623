"""The schema of facts as protobuf, so that Google's runtime can read the same facts as ours."""

from __future__ import annotations

from typing import Any

from defenseclaw.cel import Field, Schema

# Imports of protobuf stand inside functions: other lanes collect this folder without it.
SCALARS = {"bool": "TYPE_BOOL", "int": "TYPE_INT64", "string": "TYPE_STRING"}


class Mirror:
    """Builds messages that hold what our slotted facts hold."""

    def __init__(self, schema: Schema) -> None:
        from google.protobuf import descriptor_pool, message_factory

        self.schema = schema
        self.pool = descriptor_pool.DescriptorPool()
        self.pool.AddSerializedFile(_file(schema).SerializeToString())
        self._classes = {
            name: message_factory.GetMessageClass(
                self.pool.FindMessageTypeByName(f"{schema.package}.{name}")
            )
            for name in schema.messages
        }

    def message(self, facts: object) -> Any:
        """The protobuf twin of a root message."""
        return self._convert(facts, self.schema.root)

    def _convert(self, value: object, name: str) -> Any:
        twin = self._classes[name]()
        for wire, spec in self.schema.messages[name].items():
            held = getattr(value, self.schema.attribute(name, wire))
            if spec.repeated:
                getattr(twin, wire).extend(self._plain(item, spec) for item in held)
            elif spec.type in self.schema.messages:
                getattr(twin, wire).CopyFrom(self._convert(held, spec.type))
            else:
                setattr(twin, wire, self._plain(held, spec))
        return twin

    def _plain(self, value: Any, spec: Field) -> Any:
        if spec.type in self.schema.messages:
            return self._convert(value, spec.type)
        return int(value) if spec.type in self.schema.enums else value


def _file(schema: Schema) -> Any:
    from google.protobuf import descriptor_pb2

    file = descriptor_pb2.FileDescriptorProto(
        name="mirror.proto", package=schema.package, syntax="proto3"
    )
    for family, constants in schema.enums.items():
        enum = file.enum_type.add(name=family)
        for name, number in constants.items():
            enum.value.add(name=name, number=number)
    for message, fields in schema.messages.items():
        proto = file.message_type.add(name=message)
        for number, (wire, spec) in enumerate(fields.items(), start=1):
            _add_field(proto, (wire, number), spec, schema)
    return file


def _add_field(proto: Any, named: tuple[str, int], spec: Field, schema: Schema) -> None:
    field = proto.field.add(name=named[0], number=named[1])
    field.label = field.LABEL_REPEATED if spec.repeated else field.LABEL_OPTIONAL
    if spec.type in SCALARS:
        field.type = getattr(field, SCALARS[spec.type])
        return
    field.type = field.TYPE_MESSAGE if spec.type in schema.messages else field.TYPE_ENUM
    field.type_name = f".{schema.package}.{spec.type}"
