import type { Command, OptionSpec } from './command.ts';

const left = ({ value }: OptionSpec, name: string): string =>
  `  --${name}${value === undefined ? '' : ` <${value}>`}`;

const indent = 25;

/** The help of one command. */
export const formatCommandHelp = (command: Command): string => {
  const { name, summary, positionals, options, notes } = command;
  const listed: Command['options'] = { ...options, help: { help: 'Print this' } };
  const lines = Object.entries(listed).map(([option, spec]) => {
    const start = left(spec, option);
    return start.length < indent ? `${start.padEnd(indent)}${spec.help}` : `${start}  ${spec.help}`;
  });
  const usage = `Usage: restkin ${name} ${positionals.map((one) => `<${one}>`).join(' ')} [options]`;
  return `${[usage, '', `${summary}.`, '', 'Options:', ...lines, '', ...notes].join('\n')}\n`;
};

const exitCodes = `Exit codes:
   0  done
   1  any other failure
   2  wrong arguments, an API file that cannot be used, a query that the API does not declare
   3  authentication: 401, wrong password, no credentials, a login that has ended
   4  forbidden: 403
   5  not found: 404
   6  the request was refused: 400 and other answers that blame it
   7  throttled: 429
   8  server error: 500, 503
   9  no connection, or no complete answer in time
  10  an answer that the conventions or the declaration do not allow
 130, 143  stopped by SIGINT, SIGTERM
 141  the reader of the output went away (SIGPIPE)`;

/** The help of `restkin` itself. */
export const formatHelp = (commands: readonly Command[]): string => `Usage: restkin <command> <api file> …

Looks at an API by hand, and serves a mock of it. The API file exports what defineApi returns;
TypeScript runs as it is on Node 22.18 and newer, Bun and Deno.

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(8)}${summary}`).join('\n')}

  restkin <command> --help, restkin --version

Environment:
  RESTKIN_BASE_URL, RESTKIN_AUTH_URL    where the API and its token endpoint live
  RESTKIN_USERNAME, RESTKIN_PASSWORD    credentials; they are never arguments

Examples:
  restkin get ./api.ts orders --sort=-createdAt --fields=status --expand=company --limit=500
  restkin get ./api.ts companies/3/orders --page=2 --per-page=50 --output=csv
  restkin get ./api.ts orders/7
  restkin login ./api.ts --auth-url=https://auth.example.com
  restkin mock ./api.ts --port 4010 --generate 500

${exitCodes}
`;
