import { describe, expect, test } from 'vitest';
import { runHere } from './run-here.ts';

describe('wrong arguments end with 2 and one line', () => {
  test.for<readonly [readonly string[], string]>([
    [[], 'The first argument must be a command: mock, get, openapi, import, doctor'],
    [['gett'], 'The first argument must be a command'],
    [
      ['get', './api.ts', 'orders', '--feilds=a'],
      'unknown option --feilds (Did you mean --fields?); see restkin get --help',
    ],
    [
      ['get', './api.ts', 'orders', '--sort'],
      "option '--sort <fields>' argument missing; see restkin get --help",
    ],
    [
      ['doctor', './api.ts', '--output=xml'],
      "option '--output <format>': Allowed choices are table, json; see",
    ],
    [['get', './api.ts', 'orders', '--limit=0x10'], '--limit must be an integer of at least 1'],
    [['import', './api.json', '--allow-ref='], '--allow-ref= is empty'],
    [['get', './api.ts'], "missing required argument 'path'; see restkin get --help"],
  ])('%j', async ([argv, message]) => {
    const { code, stdout, stderr } = await runHere(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^restkin: [^\n]+\n$/);
    expect(stderr).toContain(message);
  });

  test.for([
    ['get', './api.ts', 'orders', 'hunter2'],
    ['-phunter2'],
    ['get', './api.ts', '--secret=hunter2'],
    ['get', './api.ts', '--all=hunter2'],
    ['mock', './api.ts', '--port=hunter2'],
    ['get', './api.ts', 'orders', '--password=hunter2'],
  ])('an argument is not shown, because it may be a password: %j', async (argv) => {
    const { code, stderr } = await runHere(argv);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^restkin: [^\n]+\n$/) });
    expect(stderr).not.toContain('hunter2');
  });
});

describe('the help', () => {
  test('names every command and exit code', async () => {
    const { code, stdout, stderr } = await runHere(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const text of ['  mock ', '  get ', '  openapi ', '  import ', '  doctor ', 'Exit codes:'])
      expect(stdout).toContain(text);
  });

  test('--version prints the version of the package', async () => {
    const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
    expect(await runHere(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });
});
