// Components in another form, such as a resource without what only the server sets.
import type { WholeFamily } from '../../../families/family.ts';
import { type Components, type Form, formOfComponent, suffixOf } from '../../../openapi/forms.ts';
import type { Component, Reader } from './reader.ts';
import { isSame, resolve, type Schema } from './schema.ts';

/** Makes the forms of the components of a document, each once. */
export const createForms = ({ components, find: findOwn }: Reader, family: WholeFamily) => {
  /** With the key of the component that they are made from. */
  const made = new Map<string, Component & { readonly base: string }>();

  /** A component, or a form of one. */
  const componentOf = (key: string): Component | undefined => components.get(key) ?? made.get(key);

  const find = (key: string): Schema | undefined => findOwn(key) ?? made.get(key)?.schema;

  // The members of a form are those of the schema that it is made from.
  const inForm = (schema: Schema, form: Form): Schema => formOfComponent(schema, form, context) as Schema;

  const context: Components = {
    family,
    find,
    inForm: (base, form) => {
      const key = `${form} ${base}`;
      const component = componentOf(base);
      if (made.has(key) || component === undefined) return key;
      const name = component.name.replace(/Body$/, '') + suffixOf(form);
      // Empty while it is made, because it may contain itself.
      made.set(key, { name, direction: 'body', schema: {}, base });
      made.set(key, { name, direction: 'body', schema: inForm(component.schema, form), base });
      return key;
    },
  };

  /**
   * The key of a component that a program declares: a form that equals its component has no name of its own.
   */
  const keyOf = (reference: string): string => {
    const { base, schema } = made.get(reference) ?? {};
    const isOwn = base === undefined || schema === undefined || !isSame(schema, find(base) ?? {}, find);
    return isOwn ? reference : keyOf(base);
  };

  /** The body of a request as a client sends it: without what only the server sets (§2.1), at any depth. */
  const toBody = (schema: Schema): Schema =>
    schema.$ref === undefined ? inForm(schema, 'body') : { $ref: context.inForm(schema.$ref, 'body') };

  /** Whether a schema of the document equals the declared one, or a form of it. */
  const matches = (declared: Schema, found: Schema, form?: Form): boolean =>
    isSame(form === undefined ? declared : inForm(resolve(declared, find), form), found, find);

  return { context, componentOf, find, keyOf, toBody, matches };
};
