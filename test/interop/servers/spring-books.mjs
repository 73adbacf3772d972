// What Spring Data sends of a `Page`, by its documentation, from records in memory: node spring-books.mjs
// COUNT.
import process from 'node:process';
import express from 'express';

const toBook = (number) => ({
  id: number,
  title: `Book ${number}`,
  pages: (number * 37) % 101,
  genre: number % 2 === 1 ? 'odd' : 'even',
});
const rows = new Map(
  Array.from({ length: Number(process.argv.at(-1)) }, (_, index) => [index + 1, toBook(index + 1)]),
);
let lastId = rows.size;

// PageableHandlerMethodArgumentResolver takes its default for a value that is no number, and lowers the size.
const numberIn = (given, least, most, usual) => {
  const number = Number(given);
  return Number.isInteger(number) && number >= least ? Math.min(number, most) : usual;
};

const toPage = (query) => {
  const number = numberIn(query.page, 0, Infinity, 0);
  const size = numberIn(query.size, 1, 2_000, 20);
  const found = [...rows.values()].filter(({ genre }) => query.genre === undefined || genre === query.genre);
  // `sort=pages,desc&sort=id`
  for (const order of [query.sort ?? []].flat().toReversed()) {
    const parts = order.split(',');
    const sign = parts.at(-1).toLowerCase() === 'desc' ? -1 : 1;
    const [name] = parts;
    found.sort((one, other) => sign * (Number(one[name] > other[name]) - Number(one[name] < other[name])));
  }
  const content = found.slice(number * size, (number + 1) * size);
  const totalPages = Math.ceil(found.length / size);
  const sort = { empty: query.sort === undefined, sorted: query.sort !== undefined };
  return {
    content,
    pageable: { pageNumber: number, pageSize: size, sort, offset: number * size, paged: true },
    last: number + 1 >= totalPages,
    totalElements: found.length,
    totalPages,
    first: number === 0,
    size,
    number,
    sort,
    numberOfElements: content.length,
    empty: content.length === 0,
  };
};

// Bean validation, as the controller of errors writes it with `server.error.include-binding-errors`.
const errorsOf = (book) => {
  const binding = (field, code, defaultMessage) => ({
    codes: [`${code}.book.${field}`, `${code}.${field}`, code],
    defaultMessage,
    objectName: 'book',
    field,
    rejectedValue: book[field] ?? null,
    bindingFailure: false,
    code,
  });
  return [
    ...(typeof book.title === 'string' && book.title.trim() !== ''
      ? []
      : [binding('title', 'NotBlank', 'must not be blank')]),
    ...(Number.isInteger(book.pages) && book.pages >= 0
      ? []
      : [binding('pages', 'PositiveOrZero', 'must be greater than or equal to 0')]),
  ];
};

const fail = (response, status, error, more = {}) => {
  const timestamp = new Date().toISOString();
  response.status(status).json({ timestamp, status, error, ...more, path: response.req.path });
};

const app = express();
app.set('query parser', 'simple');
app.use(express.json());
app.get('/books', ({ query }, response) => response.json(toPage(query)));

const save = (id, book, status, response) => {
  const errors = errorsOf(book);
  if (errors.length > 0) return fail(response, 400, 'Bad Request', { errors });
  rows.set(id, { id, ...book });
  return response.status(status).json(rows.get(id));
};
app.post('/books', ({ body }, response) => {
  lastId++;
  save(lastId, body, 201, response);
});
app.use('/books/:id', (request, response, next) => {
  request.found = rows.get(Number(request.params.id));
  if (request.found === undefined) return fail(response, 404, 'Not Found');
  return next();
});
app.get('/books/:id', ({ found }, response) => response.json(found));
app.put('/books/:id', ({ found, body }, response) => save(found.id, body, 200, response));
app.patch('/books/:id', ({ found, body }, response) => save(found.id, { ...found, ...body }, 200, response));
app.delete('/books/:id', ({ found }, response) => {
  rows.delete(found.id);
  response.status(204).end();
});

const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
