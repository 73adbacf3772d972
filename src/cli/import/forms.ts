// How a resource goes over the wire: an export writes each form, and an import recognises it.

interface FormRule {
  /** Ends the name of a resource in this form. */
  readonly suffix: string;
  /** The form of what the fields hold. */
  readonly below: Form;
  /** The form of what a list holds: a PATCH replaces a list as a whole. */
  readonly inList: Form;
  /** Whether every field may be left out. */
  readonly isPartial: boolean;
  /** Whether a resource has its `id`: a response always does, a body never, a part of a body may. */
  readonly id: 'never' | 'optional' | 'always';
}

/**
 * A response, one limited by `fields`, the body of POST and PUT, and of PATCH, a part of either body, and a query parameter with
 * values that JSON does not have.
 */
export type Form = 'response' | 'limited' | 'body' | 'update' | 'part' | 'partUpdate' | 'query';

/** The forms in which values go over the wire (§4.2, §4.4). */
export const forms: Readonly<Record<Form, FormRule>> = {
  response: { suffix: '', below: 'response', inList: 'response', isPartial: false, id: 'always' },
  limited: { suffix: 'Fields', below: 'limited', inList: 'limited', isPartial: true, id: 'always' },
  body: { suffix: 'Body', below: 'part', inList: 'part', isPartial: false, id: 'never' },
  part: { suffix: 'Part', below: 'part', inList: 'part', isPartial: false, id: 'optional' },
  update: { suffix: 'Update', below: 'partUpdate', inList: 'part', isPartial: true, id: 'never' },
  partUpdate: { suffix: 'PartUpdate', below: 'partUpdate', inList: 'part', isPartial: true, id: 'optional' },
  query: { suffix: '', below: 'query', inList: 'query', isPartial: false, id: 'always' },
};
