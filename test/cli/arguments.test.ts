import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { createSurroundings } from './surroundings.ts';

const runHere = async (...argv: string[]) => {
  const { io, out, err } = createSurroundings();
  const code = await run(argv, io);
  return { code, out: out(), err: err() };
};

describe('wrong arguments end with 2 and one line', () => {
  test.for<readonly [string, readonly string[], string]>([
    ['no command', [], 'No command is given'],
    ['help of an unknown command', ['help', 'gett'], 'Unknown command; did you mean get?'],
    [
      'an unknown command that resembles none',
      ['fetch'],
      'the commands are get, mock, openapi, import, doctor, login, logout',
    ],
    ['an unknown command', ['gett'], 'did you mean get?'],
    ['an unknown option', ['get', './api.ts', 'orders', '--feilds=a'], 'did you mean --fields?'],
    ['an unknown short option', ['get', './api.ts', 'orders', '-x'], '-x is not an option of restkin get'],
    ['an option without its value', ['get', './api.ts', 'orders', '--sort', '--all'], '--sort needs a value'],
    [
      'an option at the end without its value',
      ['get', './api.ts', 'orders', '--sort'],
      '--sort needs a value',
    ],
    ['a value for an option without one', ['get', './api.ts', 'orders', '--all=yes'], '--all takes no value'],
    ['an option twice', ['get', './api.ts', 'orders', '--page=1', '--page=2'], '--page is given twice'],
    ['a missing path', ['get', './api.ts'], "Missing required argument 'path'; see restkin get --help"],
    ['an option of another command', ['mock', './api.ts', '--all'], '--all is not an option of restkin mock'],
  ])('%s', async ([, argv, message]) => {
    const { code, out, err } = await runHere(...argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^restkin: [^\n]+\n$/);
    expect(err).toContain(message);
  });

  test.for([
    ['login', './api.ts', 'hunter2'],
    ['hunter2'],
    ['-phunter2'],
    ['login', '-phunter2'],
    ['--secret=hunter2', 'login', './api.ts'],
    ['login', './api.ts', '--secret=hunter2'],
    ['login', './api.ts', '--store', 'a', '--store', 'hunter2'],
    ['login', './api.ts', '--verbose=hunter2'],
    ['mock', './api.ts', '--port=hunter2'],
  ])('an argument is not shown, because it may be a password: %j', async (argv) => {
    const { code, err } = await runHere(...argv);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^restkin: [^\n]+\n$/) });
    expect(err).not.toContain('hunter2');
  });

  test.for([['--password=hunter2'], ['--username', 'ada'], ['--pasword=hunter2'], ['--token=hunter2']])(
    'credentials are refused: %s',
    async (given) => {
      const { code, err } = await runHere('login', './api.ts', ...given);
      expect(code).toBe(2);
      expect(err).toContain('visible to every process');
      expect(err).not.toContain('hunter2');
    },
  );
});

describe('the help', () => {
  test('names every command and exit code', async () => {
    const { code, out, err } = await runHere('--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const text of ['  get ', '  mock ', '  login ', '  logout ', 'Exit codes:'])
      expect(out).toContain(text);
  });

  test.for(['get', 'mock', 'login', 'logout'])('of %s fits a terminal of 100 columns', async (name) => {
    const { out } = await runHere(name, '--help');
    expect(out).toContain(`Usage: restkin ${name} [options] <api-file>`);
    expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
    expect((await runHere('help', name)).out).toBe(out);
  });

  test('--version prints the version of the package, for each command', async () => {
    const {
      default: { version },
    } = await import('../../package.json', { with: { type: 'json' } });
    expect(await runHere('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
    expect(await runHere('get', '--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });
});
