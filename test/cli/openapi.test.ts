import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { apiFile, runHere, writeTemporary } from './run-here.ts';

describe('restkin openapi', () => {
  test('prints the document of a declaration', async () => {
    const { code, stdout, stderr } = await runHere(['openapi', apiFile]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { openapi, info, servers, paths } = JSON.parse(stdout);
    expect([openapi, info.title, servers]).toEqual(['3.1.1', 'ordering', [{ url: '/' }]]);
    expect(paths['/v1/orders'].get.operationId).toBe('ordersList');
  });

  test('writes a file, as YAML too, with where the API lives', async () => {
    const file = await writeTemporary('api.yaml', '');
    const args = ['openapi', apiFile, '--yaml', `--out=${file}`, '--force'];
    const urls = ['--base-url=https://api.example.com/', '--auth-url=https://auth.example.com/'];
    const { code, stdout } = await runHere([...args, ...urls]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const yaml = await readFile(file, 'utf8');
    expect(yaml).not.toMatch(/: [&*]a\d/);
    expect(load(yaml)).toMatchObject({
      servers: [{ url: 'https://api.example.com' }],
      components: {
        securitySchemes: {
          token: { description: expect.stringContaining('https://auth.example.com/auth/token') },
        },
      },
    });
  });

  test('replaces a file that exists only with --force', async () => {
    const file = await writeTemporary('api.json', 'mine');
    const { code, stderr } = await runHere(['openapi', apiFile, `--out=${file}`]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('api.json exists; ') });
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  test('reports a file that cannot be written', async () => {
    const { code, stderr } = await runHere(['openapi', apiFile, '--out=none/api.json']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^restkin: none\/api.json cannot be written: ENOENT[^\n]+\n$/),
    });
  });
});
