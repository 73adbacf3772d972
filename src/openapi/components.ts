import { globalRegistry, registry, toJSONSchema } from 'zod/v4/core';
import type { Schema } from '../schema/types/shape.ts';
import { withParts } from '../schema/zod.ts';
import type { JsonSchema } from './document.ts';

const toUri = (name: string): string => `#/components/schemas/${name}`;

/** The name that a schema was given by `.meta({ id })`, in the letters that OpenAPI allows. */
export const givenName = (schema: Schema): string | undefined =>
  globalRegistry.get(schema)?.id?.replace(/[^\w.-]/g, '_');

export const givenAnnotations = (schema: Schema): Readonly<Record<string, unknown>> => {
  const { id: _, ...annotations } = globalRegistry.get(schema) ?? {};
  return annotations;
};

/** Makes an empty set of components: the schemas of a document that have a name. */
export const createComponents = () => {
  const named = registry<{ id: string }>();
  const metadata = registry<Readonly<Record<string, unknown>>>();
  const inline = new Map<string, Record<string, unknown>>();
  return {
    add: (schema: Schema, name: string): void => void named.add(schema, { id: name }),
    /** The name of a schema; undefined when it is not a component. */
    nameOf: (schema: Schema): string | undefined => named.get(schema)?.id,
    /** Adds keywords to the JSON Schema of a schema. */
    annotate: (schema: Schema, annotations: Readonly<Record<string, unknown>>): void =>
      void metadata.add(schema, { ...metadata.get(schema), ...annotations }),
    /** A reference to a component, or the JSON Schema of any other schema, which `finish` fills in. */
    toJson: (schema: Schema): JsonSchema => {
      const name = named.get(schema)?.id;
      if (name !== undefined) return { $ref: toUri(name) };
      // A copy, because a component that contains the same schema would refer to the name.
      const root = withParts(schema, {});
      const annotations = metadata.get(schema);
      if (annotations !== undefined) metadata.add(root, annotations);
      // No component can have this name.
      const id = `#${inline.size}`;
      named.add(root, { id });
      const json: Record<string, unknown> = {};
      inline.set(id, json);
      return json;
    },
    /** The JSON Schema of every component, by name. */
    finish: (): Readonly<Record<string, JsonSchema>> => {
      const { schemas } = toJSONSchema(named, { io: 'input', metadata, uri: toUri });
      const finished: Record<string, JsonSchema> = {};
      for (const [name, { $schema: _, $id: __, ...json }] of Object.entries(schemas)) {
        const into = inline.get(name);
        if (into === undefined) finished[name] = json;
        else Object.assign(into, json);
      }
      return finished;
    },
  };
};
