// The page itself: logs in, reads a long list with its progress, stops, and goes on where it stopped.
import {
  type CollectionOf,
  createClient,
  InvalidCredentialsError,
  isApiError,
  isRestkinError,
  type Selected,
  tokenAuth,
} from 'restkin';
import { ordering } from '../ordering.ts';
import { ask } from './ask.ts';

type Orders = CollectionOf<typeof ordering.collections.orders>;

const fields = ['createdAt', 'company', 'device.model', 'status'] as const;
type Row = Selected<typeof ordering.collections.orders, typeof fields, ['company']>;

const login = ask('login', HTMLFormElement);
const section = ask('list', HTMLElement);
const progress = ask('progress', HTMLProgressElement);
const [stopButton, resumeButton] = [ask('stop', HTMLButtonElement), ask('resume', HTMLButtonElement)];
const rows = ask('rows', HTMLTableSectionElement);

const say = (id: 'status' | 'problem' | 'user', text: string): void => {
  ask(id, HTMLElement).textContent = text;
};

const append = ({ id, createdAt, company, device, status }: Row): void => {
  const row = rows.insertRow();
  for (const text of [`#${id}`, createdAt.slice(0, 10), company.name, device.model]) {
    row.insertCell().textContent = text;
  }
  row.cells[0]?.classList.add('number');
  const badge = Object.assign(document.createElement('span'), { className: `status ${status}` });
  badge.textContent = status;
  row.insertCell().append(badge);
};

/** The list counts from where it goes on; the page counts what it has. */
const showProgress = (state: string): void => {
  const { length } = rows.rows;
  progress.value = length;
  say('status', `${state} ${length.toLocaleString('en')} of ${progress.max.toLocaleString('en')} orders`);
};

let position: string | undefined;
let stop = new AbortController();

const read = async (orders: Orders): Promise<void> => {
  stop = new AbortController();
  [stopButton.hidden, resumeButton.hidden] = [false, true];
  const list = orders.list({
    sort: ['-createdAt'],
    fields,
    expand: ['company'],
    perPage: 50,
    from: position,
    signal: stop.signal,
    onPage: ({ totalCount = 0 }) => {
      progress.max = totalCount;
      showProgress('Reading:');
    },
  });
  try {
    for await (const order of list) append(order);
    stopButton.hidden = true;
    showProgress('Complete:');
  } catch (error) {
    [stopButton.hidden, resumeButton.hidden] = [true, false];
    showProgress('Stopped at');
    if (!stop.signal.aborted) throw error;
  } finally {
    position = list.position ?? position;
  }
};

const messageOf = (error: unknown): string => {
  if (error instanceof InvalidCredentialsError) return 'Wrong username or password.';
  // What the server says is for the person; every message of restkin can be shown, because it holds no secret.
  if (isApiError(error) && error.detail !== undefined) return error.detail;
  return isRestkinError(error) ? error.message : 'Something is wrong with this page.';
};

const attempt = async (work: () => Promise<void>): Promise<void> => {
  say('problem', '');
  await work().catch((error: unknown) => say('problem', messageOf(error)));
};

login.addEventListener('submit', (event) => {
  event.preventDefault();
  const given = new FormData(login);
  const [username, password] = [String(given.get('username')), String(given.get('password'))];
  const baseUrl = document.querySelector<HTMLMetaElement>('meta[name=api]')?.content ?? '';
  const client = createClient({ baseUrl, auth: tokenAuth({ authUrl: baseUrl, username, password }) });
  const { orders } = client.api(ordering);
  void attempt(async () => {
    // The first request logs in.
    await orders.list({ perPage: 1 });
    [login.hidden, section.hidden] = [true, false];
    say('user', `Logged in as ${username}`);
    resumeButton.addEventListener('click', () => void attempt(() => read(orders)));
    await read(orders);
  });
});

stopButton.addEventListener('click', () => stop.abort());
