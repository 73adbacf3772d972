import { type ApiDeclaration, endpoint, family } from 'restkin';
import * as presets from 'restkin/families';
import * as z from 'zod';

/** The presets of other families than that of the conventions, by their names. */
export const { conventions: _, ...otherPresets } = presets;

export type PresetName = keyof typeof otherPresets;

export const presetNames = Object.keys(otherPresets) as readonly PresetName[];

/** An API of a family with every part of a query that it has. */
export const declareFamily = (name: string, declared: presets.Family): ApiDeclaration => {
  // The types of one preset, for all of them: what it has no name for is left out below.
  const given = declared as typeof presets.yii2;
  const { resource, expandable, collection, defineApi } = family(given);
  const names: Partial<Record<string, string>> = given.query;
  const Company = resource({ name: z.string() });
  const shared = { title: z.string().min(2), pages: z.int(), lines: z.array(z.object({ note: z.string() })) };
  const canExpand = names.expand !== undefined;
  const Order = canExpand ? resource({ ...shared, company: expandable(Company) }) : resource(shared);
  const options = {
    sort: ['title', 'pages'],
    ...(names.fields !== undefined && { fields: true }),
    ...(canExpand && { expand: ['company'] }),
    paging: { maxPerPage: 50 },
    params: z.object({ status: z.optional(z.enum(['open', 'sent'])) }),
  } as const;
  return defineApi({
    name: `${name} shop`,
    version: 1,
    auth: 'basic',
    collections: {
      companies: collection('companies', Company, { paging: true }),
      orders: collection('orders', Order, options as never),
    },
    endpoints: {
      latest: endpoint('GET', 'latest', { response: Company }),
      summary: endpoint('GET', 'summary', { response: z.object({ total: z.int() }) }),
    },
  });
};

/** An API of a preset with every part of a query that its family has. */
export const declarePreset = (name: PresetName): ApiDeclaration => declareFamily(name, otherPresets[name]);
