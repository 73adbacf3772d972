// json-server over records in memory: node json-server.mjs COUNT.
import process from 'node:process';
import jsonServer from 'json-server';

const toBook = (number) => ({
  id: number,
  title: `Book ${number}`,
  pages: (number * 37) % 101,
  genre: number % 2 === 1 ? 'odd' : 'even',
  authorId: 1,
});
const books = Array.from({ length: Number(process.argv.at(-1)) }, (_, index) => toBook(index + 1));
const app = jsonServer.create();
app.use(jsonServer.defaults({ logger: false }));
app.use(jsonServer.router({ books, authors: [{ id: 1, name: 'Ada' }] }));
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
