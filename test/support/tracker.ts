import { family } from 'restkin';
import { github } from 'restkin/families';
import * as z from 'zod';

const { resource, collection, defineApi } = family(github);

/** A small API of another family. */
export const tracker = defineApi({
  name: 'tracker',
  auth: 'custom',
  collections: { issues: collection('issues', resource({ title: z.string() }), { paging: true }) },
});
