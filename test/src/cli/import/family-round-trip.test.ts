import { toOpenApi } from 'restkin/openapi';
import { describe, expect, test } from 'vitest';
import { apisOf, importOf } from '../../../support/import-document.ts';
import { declarePreset, presetNames } from '../../../support/preset-apis.ts';

describe.each(presetNames)('an exported API of the preset %s, imported again', (name) => {
  const document = toOpenApi(declarePreset(name));

  test('is recognised, and gives the same document', async () => {
    const imported = await importOf(document);
    expect(imported.family).toMatch(new RegExp(`^Family: ${name}, by `));
    expect(imported.imports).toContain(`import { ${name} } from 'restkin/families';`);
    expect(imported.unfit).toEqual([]);
    expect(apisOf(imported).map((again) => toOpenApi(again))).toEqual([document]);
  });
});
