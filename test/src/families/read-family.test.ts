import { describe, expect, test } from 'vitest';
import type { Family } from '../../../src/families/family.ts';
import * as presets from '../../../src/families/presets.ts';
import { readFamily } from '../../../src/families/read-family.ts';

/** A family that the compiler would refuse, as a program in JavaScript writes it. */
const wrong = (family: unknown): Family => family as Family;

describe('the declaration of a family', () => {
  test.each(Object.entries(presets))('the preset %s is valid', (_, preset) => {
    expect(readFamily(preset)).toMatchObject(preset);
  });

  test('a part that is left out is that of the conventions', () => {
    expect(readFamily({ path: 'api' })).toStrictEqual({
      ...presets.conventions,
      name: 'unnamed',
      path: 'api',
    });
  });

  test.each([
    [{ pagesize: 'limit' }, 'family: there is no pagesize; the parts are name, path,'],
    [{ query: { perpage: 'limit' } }, 'family: there is no query.perpage; the parts are page, perPage,'],
    [{ path: '/api' }, "family: path must be a path such as 'api/v{version}'"],
    [{ path: 'api/{major}' }, "family: path must be a path such as 'api/v{version}'"],
    [{ sortAs: 'desc' }, "family: sortAs must be one of '-field', 'field,desc'"],
    [{ sortAs: 'field;desc' }, 'family: sortAs must be one of'],
    [
      { sortAs: 'field,DESC' },
      "family: sortAs 'field,DESC' has a comma in each value, so repeated must name 'sort'",
    ],
    [{ sortAs: { direction: '' } }, 'family: sortAs must be one of'],
    [
      { sortAs: 'field,desc' },
      "family: sortAs 'field,desc' has a comma in each value, so repeated must name 'sort'",
    ],
    [{ firstPage: 2 }, 'family: firstPage must be 0 or 1'],
    [{ list: { totalCount: 'X-Total' } }, "family: list.totalCount must be a place: { header: 'X-Total' }"],
    [
      { list: { totalCount: { header: 'X-Total', body: 'total' } } },
      'family: list.totalCount must be a place',
    ],
    [{ list: { totalCount: { header: 'X Total' } } }, 'family: list.totalCount must be a place'],
    [{ list: { next: 'cursor' } }, "family: list.next must be 'link', 'number' or { body: 'links.next' }"],
    [{ list: { items: 'data', next: { body: 'next', optional: 1 } } }, 'family: list.next must be'],
    [{ list: { items: 'data..items' } }, 'family: list.items must be a dotted path in the body'],
    [{ query: {}, list: { next: 'number' } }, "family: list.next is 'number', so query.page must name"],
    [{ query: {}, pageRequired: true }, 'family: pageRequired needs query.page'],
    [{ query: { page: 'p', perPage: 'p' } }, 'family: query names "p" twice'],
    [{ sortAs: { direction: 'sort' } }, 'family: the parameter "sort" has two meanings'],
    [{ listParameters: { page: '1' } }, 'family: the parameter "page" has two meanings'],
    [
      { list: { totalCount: { body: 'total' } } },
      'family: list.totalCount is in the body, which is the list itself; name the path of the list in list.items',
    ],
    [{ list: { next: { body: 'next' } } }, 'family: list.next is in the body, which is the list itself'],
    [
      { list: { items: 'data', size: { body: 'data.size' } } },
      'family: list.size is in the list, at "data"; name its path in the body',
    ],
    [
      { list: { items: 'data' } },
      'family: list says neither what leads to the next page nor how many records there are; name list.next',
    ],
    [{ listParameters: { meta: 1 } }, 'family: listParameters must be an object of strings'],
    [{ repeated: ['page'] }, 'family: repeated must be an array that names sort, fields or expand'],
    [{ trailingSlash: 'yes' }, 'family: trailingSlash must be true or false'],
    [{ clampsSize: 1 }, 'family: clampsSize must be true or false'],
    [{ impliesIdentity: 'id' }, 'family: impliesIdentity must be true or false'],
    [{ item: 'data.' }, "family: item must be a dotted path in the body, such as 'meta.total'"],
    [{ item: { read: 'data' } }, 'family: item must be a dotted path in the body'],
    [{ item: { read: '', written: '', body: '' } }, 'family: item must be a dotted path in the body'],
    [{ body: 7 }, 'family: body must be a dotted path in the body'],
    [{ name: '' }, 'family: name must be a string that is not empty'],
    [{ list: { anyPath: 1 } }, 'family: list.anyPath must be true or false'],
    [{ list: 'data' }, 'family: list must be an object'],
    [{ invalid: { statuses: [400], form: 'tree' } }, "family: invalid.form must be 'list', 'map' or"],
    [{ invalid: { statuses: [400], field: 1 } }, 'family: invalid.field must be a dotted path'],
    [
      { invalid: { statuses: [400], path: 'a' } },
      'family: there is no invalid.path; the parts are statuses,',
    ],
    [{ identity: ['uuid'] }, "family: identity must be ['id', 'self'] or ['id']"],
    [{ unexpanded: 'null' }, "family: unexpanded must be 'reference', 'id' or 'absent'"],
    [{ written: true }, "family: written must be 'nothing' or 'resource'"],
    [{ created: [302] }, 'family: created must be an array of 200 and 201'],
    [{ invalid: { statuses: [409] } }, 'family: invalid.statuses must be an array of 400 and 422'],
    [{ invalid: { items: 'errors' } }, 'family: invalid.statuses is missing'],
    [
      { invalid: { statuses: [422], form: 'map', field: 'path' } },
      "family: invalid.field is for a list of objects, and invalid.form is 'map'; leave one of them out",
    ],
    [
      { invalid: { statuses: [422], form: 'map', prefix: 'body' } },
      "family: invalid.prefix is for a list of objects, and invalid.form is 'map'; leave one of them out",
    ],
    [
      { invalid: { statuses: [400], form: 'sentences', code: 'type' } },
      "family: invalid.code is for objects, and invalid.form is 'sentences'; leave one of them out",
    ],
    [{ invalid: { statuses: [422], prefix: '' } }, 'family: invalid.prefix must be a string'],
    [
      { invalid: { statuses: [400], form: 'sentences', whole: 'base' } },
      "family: invalid.whole is for a map, and invalid.form is 'sentences'; leave one of them out",
    ],
    [
      { invalid: { statuses: [400], whole: 'base' } },
      "family: invalid.whole is for a map, and invalid.form is 'list'; leave one of them out",
    ],
    [{ list: { totalCount: { header: null } } }, 'family: list.totalCount must be a place'],
    [Promise.resolve({}), 'family() takes a family as a plain object'],
    [
      undefined,
      'family() takes a family as a plain object, such as drf of restkin/families; received undefined',
    ],
    [
      'yii2',
      'family() takes a family as a plain object, such as drf of restkin/families; received a value of type string',
    ],
  ])('%j is refused', (family, message) => {
    expect(() => readFamily(wrong(family))).toThrow(message);
  });
});
