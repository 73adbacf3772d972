// Servers whose lists are in an object, with their totals. They follow documentation and observation, and are
// not recordings.
import type { Family } from 'restkin/families';
import * as presets from 'restkin/families';
import { one, origin, type Sent, three, two } from './sample.ts';

const strapi = {
  path: 'api',
  query: { page: 'pagination[page]', perPage: 'pagination[pageSize]', sort: 'sort' },
  sortAs: 'field:desc',
  list: {
    items: 'data',
    next: 'number',
    totalCount: { body: 'meta.pagination.total' },
    totalPages: { body: 'meta.pagination.pageCount' },
    number: { body: 'meta.pagination.page' },
    size: { body: 'meta.pagination.pageSize' },
  },
  item: 'data',
  body: 'data',
  identity: ['id'],
  written: 'resource',
  created: [200, 201],
  invalid: { statuses: [400], items: 'error.details.errors', field: 'path' },
} as const satisfies Family;

/** Three books, in pages of two. */
export const inBodies: Readonly<Record<string, Sent>> = {
  drf: {
    preset: presets.drf,
    query: '/books/?ordering=-title&page=2&page_size=2',
    pages: [
      [
        '/books/?page_size=2',
        {
          body: {
            count: 3,
            next: `${origin}/books/?page=2&page_size=2`,
            previous: null,
            results: [one, two],
          },
        },
      ],
      [
        '/books/?page=2&page_size=2',
        { body: { count: 3, next: null, previous: `${origin}/books/?page_size=2`, results: [three] } },
      ],
    ],
    past: ['/books/?page=9&page_size=2', { status: 404, body: { detail: 'Invalid page.' } }],
    item: ['/books/1/', one],
    created: { status: 201, body: one },
    updated: { body: one },
    invalid: { status: 400, body: { title: ['This field may not be blank.'] } },
  },
  laravel: {
    preset: presets.laravel,
    query: '/api/books?sort=-title&include=author&page=2&per_page=2',
    pages: [1, 2].map((page) => [
      page === 1 ? '/api/books?per_page=2' : '/api/books?per_page=2&page=2',
      {
        body: {
          data: page === 1 ? [one, two] : [three],
          // The links lack the query of the request.
          links: {
            first: `${origin}/api/books?page=1`,
            last: `${origin}/api/books?page=2`,
            prev: null,
            next: page === 1 ? `${origin}/api/books?page=2` : null,
          },
          meta: {
            current_page: page,
            from: 1,
            last_page: 2,
            path: `${origin}/api/books`,
            per_page: 2,
            to: 2,
            total: 3,
          },
        },
      },
    ]),
    past: [
      '/api/books?page=9&per_page=2',
      {
        body: {
          data: [],
          links: { next: null },
          meta: { current_page: 9, last_page: 2, per_page: 2, total: 3 },
        },
      },
    ],
    item: ['/api/books/1', { data: one }],
    created: { status: 201, body: { data: one } },
    updated: { body: { data: one } },
    invalid: {
      status: 422,
      body: { message: 'The title field is required.', errors: { title: ['The title field is required.'] } },
    },
  },
  spring: {
    preset: presets.spring,
    query: '/books?sort=title%2Cdesc&page=1&size=2',
    pages: [0, 1].map((number) => [
      number === 0 ? '/books?size=2' : '/books?size=2&page=1',
      {
        body: {
          content: number === 0 ? [one, two] : [three],
          pageable: { pageNumber: number, pageSize: 2 },
          totalElements: 3,
          totalPages: 2,
          last: number === 1,
          size: 2,
          number,
        },
      },
    ]),
    past: [
      '/books?page=8&size=2',
      { body: { content: [], totalElements: 3, totalPages: 2, size: 2, number: 8 } },
    ],
    item: ['/books/1', one],
    created: { status: 201, body: one },
    updated: { body: one },
    invalid: {
      status: 400,
      body: {
        timestamp: '2026-01-01T00:00:00.000+00:00',
        status: 400,
        error: 'Bad Request',
        errors: [{ field: 'title', code: 'NotBlank', defaultMessage: 'must not be blank' }],
      },
    },
  },
  'nestjs-paginate': {
    preset: presets.nestjsPaginate,
    query: '/books?sortBy=title%3ADESC&select=id%2Ctitle&page=2&limit=2',
    pages: [1, 2].map((page) => [
      page === 1 ? '/books?limit=2' : '/books?limit=2&page=2',
      {
        body: {
          data: page === 1 ? [one, two] : [three],
          meta: { itemsPerPage: 2, totalItems: 3, currentPage: page, totalPages: 2, sortBy: [['id', 'ASC']] },
          links: { current: `${origin}/books?page=${page}&limit=2` },
        },
      },
    ]),
    past: [
      '/books?page=9&limit=2',
      {
        body: {
          data: [],
          meta: { itemsPerPage: 2, totalItems: 3, currentPage: 9, totalPages: 2 },
          links: {},
        },
      },
    ],
    item: ['/books/1', one],
    created: { status: 201, body: one },
    updated: { body: one },
    invalid: {
      status: 400,
      body: { message: ['title should not be empty'], error: 'Bad Request', statusCode: 400 },
    },
  },
  directus: {
    preset: presets.directus,
    query: '/items/books?sort=-title&fields=id%2Ctitle&page=2&limit=2&meta=filter_count',
    pages: [
      ['/items/books?limit=2&meta=filter_count', { body: { meta: { filter_count: 3 }, data: [one, two] } }],
      [
        '/items/books?limit=2&meta=filter_count&page=2',
        { body: { meta: { filter_count: 3 }, data: [three] } },
      ],
    ],
    past: [
      '/items/books?page=9&limit=2&meta=filter_count',
      { body: { meta: { filter_count: 3 }, data: [] } },
    ],
    item: ['/items/books/1', { data: one }],
    created: { status: 200, body: { data: one } },
    updated: { body: { data: one } },
    invalid: {
      status: 400,
      body: {
        errors: [
          {
            message: 'Validation failed for field "title". Value is required.',
            extensions: { code: 'FAILED_VALIDATION', field: 'title', type: 'required' },
          },
        ],
      },
    },
  },
  strapi: {
    preset: strapi,
    query: '/api/books?sort=title%3Adesc&pagination%5Bpage%5D=2&pagination%5BpageSize%5D=2',
    pages: [1, 2].map((page) => [
      page === 1
        ? '/api/books?pagination%5BpageSize%5D=2'
        : '/api/books?pagination%5BpageSize%5D=2&pagination%5Bpage%5D=2',
      {
        body: {
          data: page === 1 ? [one, two] : [three],
          meta: { pagination: { page, pageSize: 2, pageCount: 2, total: 3 } },
        },
      },
    ]),
    past: [
      '/api/books?pagination%5Bpage%5D=9&pagination%5BpageSize%5D=2',
      { body: { data: [], meta: { pagination: { page: 9, pageSize: 2, pageCount: 2, total: 3 } } } },
    ],
    item: ['/api/books/1', { data: one, meta: {} }],
    created: { status: 201, body: { data: one, meta: {} } },
    body: { data: { title: 'A' } },
    updated: { body: { data: one, meta: {} } },
    invalid: {
      status: 400,
      body: {
        data: null,
        error: {
          status: 400,
          name: 'ValidationError',
          message: 'title must be defined.',
          details: {
            errors: [{ path: ['title'], message: 'title must be defined.', name: 'ValidationError' }],
          },
        },
      },
    },
  },
};
