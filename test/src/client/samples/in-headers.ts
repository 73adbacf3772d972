// Servers whose lists are arrays, with totals and links in headers. They follow documentation and
// observation, and are not recordings.
import type { Family } from 'restkin/families';
import * as presets from 'restkin/families';
import { one, origin, type Sent, three, two } from './sample.ts';

/** As Rails with api-pagination sends them. */
const rails = {
  path: '',
  query: { page: 'page', perPage: 'per_page' },
  list: { totalCount: { header: 'Total' }, size: { header: 'Per-Page' } },
  identity: ['id'],
  written: 'resource',
  invalid: { statuses: [422], form: 'map' },
} as const satisfies Family;

const yiiHeaders = (page: number, links: string) => ({
  'X-Pagination-Total-Count': '3',
  'X-Pagination-Page-Count': '2',
  'X-Pagination-Current-Page': String(page),
  'X-Pagination-Per-Page': '2',
  Link: links,
});

const gitlabHeaders = (page: number, next: string) => ({
  'X-Total': '3',
  'X-Total-Pages': '2',
  'X-Page': String(page),
  'X-Per-Page': '2',
  'X-Next-Page': next,
  'X-Prev-Page': '',
});

/** Three books, in pages of two. */
export const inHeaders: Readonly<Record<string, Sent>> = {
  yii2: {
    preset: presets.yii2,
    query: '/books?sort=-title&fields=id%2Ctitle&expand=author&page=2&per-page=2',
    pages: [
      [
        '/books?per-page=2',
        {
          // Relations are not quoted, and `self` comes first.
          headers: yiiHeaders(
            1,
            `<${origin}/books?per-page=2&page=1>; rel=self, <${origin}/books?per-page=2&page=2>; rel=next, <${origin}/books?per-page=2&page=2>; rel=last`,
          ),
          body: [one, two],
        },
      ],
      [
        '/books?per-page=2&page=2',
        {
          headers: yiiHeaders(
            2,
            `<${origin}/books?per-page=2&page=2>; rel=self, <${origin}/books?per-page=2&page=1>; rel=first, <${origin}/books?per-page=2&page=1>; rel=prev`,
          ),
          body: [three],
        },
      ],
    ],
    // It gives the last page instead.
    past: [
      '/books?page=9&per-page=2',
      {
        headers: yiiHeaders(2, `<${origin}/books?page=2&per-page=2>; rel=self`),
        body: [three],
      },
    ],
    item: ['/books/1', one],
    created: { status: 201, headers: { Location: `${origin}/books/1` }, body: one },
    updated: { body: one },
    invalid: { status: 422, body: [{ field: 'title', message: 'Title cannot be blank.' }] },
  },
  github: {
    preset: presets.github,
    query: '/books?sort=title&direction=desc&page=2&per_page=2',
    pages: [
      [
        '/books?per_page=2',
        {
          // The links lead to another path.
          headers: {
            Link: `<${origin}/repositories/7/books?per_page=2&page=2>; rel="next", <${origin}/repositories/7/books?per_page=2&page=2>; rel="last"`,
          },
          body: [one, two],
        },
      ],
      [
        '/repositories/7/books?per_page=2&page=2',
        {
          headers: {
            Link: `<${origin}/repositories/7/books?per_page=2&page=1>; rel="prev", <${origin}/repositories/7/books?per_page=2&page=1>; rel="first"`,
          },
          body: [three],
        },
      ],
    ],
    past: [
      '/books?page=9&per_page=2',
      { headers: { Link: `<${origin}/books?page=2&per_page=2>; rel="last"` }, body: [] },
    ],
    hasTotal: false,
    item: ['/books/1', one],
    created: { status: 201, body: one },
    updated: { body: one },
    invalid: {
      status: 422,
      body: {
        message: 'Validation Failed',
        errors: [{ resource: 'Book', field: 'title', code: 'missing_field' }],
        documentation_url: 'https://docs.github.com/rest',
      },
    },
  },
  gitlab: {
    preset: presets.gitlab,
    query: '/api/v4/books?order_by=title&sort=desc&page=2&per_page=2',
    pages: [
      [
        '/api/v4/books?per_page=2',
        {
          headers: {
            ...gitlabHeaders(1, '2'),
            Link: `<${origin}/api/v4/books?page=2&per_page=2>; rel="next", <${origin}/api/v4/books?page=1&per_page=2>; rel="first", <${origin}/api/v4/books?page=2&per_page=2>; rel="last"`,
          },
          body: [one, two],
        },
      ],
      [
        '/api/v4/books?page=2&per_page=2',
        {
          headers: {
            ...gitlabHeaders(2, ''),
            Link: `<${origin}/api/v4/books?page=1&per_page=2>; rel="prev", <${origin}/api/v4/books?page=1&per_page=2>; rel="first", <${origin}/api/v4/books?page=2&per_page=2>; rel="last"`,
          },
          body: [three],
        },
      ],
    ],
    past: ['/api/v4/books?page=9&per_page=2', { headers: gitlabHeaders(9, ''), body: [] }],
    item: ['/api/v4/books/1', one],
    created: { status: 201, body: one },
    updated: { body: one },
    invalid: { status: 400, body: { message: { title: ["can't be blank"] } } },
  },
  gitea: {
    preset: presets.gitea,
    query: '/api/v1/books?sort=title&order=desc&page=2&limit=2',
    pages: [
      [
        '/api/v1/books?limit=2',
        {
          headers: {
            'X-Total-Count': '3',
            Link: `<${origin}/api/v1/books?limit=2&page=2>; rel="next",<${origin}/api/v1/books?limit=2&page=2>; rel="last"`,
          },
          body: [one, two],
        },
      ],
      [
        '/api/v1/books?limit=2&page=2',
        {
          headers: {
            'X-Total-Count': '3',
            Link: `<${origin}/api/v1/books?limit=2&page=1>; rel="first",<${origin}/api/v1/books?limit=2&page=1>; rel="prev"`,
          },
          body: [three],
        },
      ],
    ],
    past: ['/api/v1/books?page=9&limit=2', { headers: { 'X-Total-Count': '3' }, body: [] }],
    item: ['/api/v1/books/1', one],
    created: { status: 201, body: one },
    updated: { status: 201, body: one },
  },
  wordpress: {
    preset: presets.wordpress,
    query: '/wp-json/wp/v2/books?orderby=title&order=desc&_fields=id%2Ctitle&page=2&per_page=2',
    pages: [
      [
        '/wp-json/wp/v2/books?per_page=2',
        {
          headers: {
            'X-WP-Total': '3',
            'X-WP-TotalPages': '2',
            Link: `<${origin}/wp-json/wp/v2/books?per_page=2&page=2>; rel="next"`,
          },
          body: [one, two],
        },
      ],
      [
        '/wp-json/wp/v2/books?per_page=2&page=2',
        {
          headers: {
            'X-WP-Total': '3',
            'X-WP-TotalPages': '2',
            Link: `<${origin}/wp-json/wp/v2/books?per_page=2&page=1>; rel="prev"`,
          },
          body: [three],
        },
      ],
    ],
    past: [
      '/wp-json/wp/v2/books?page=9&per_page=2',
      {
        status: 400,
        body: {
          code: 'rest_post_invalid_page_number',
          message: 'The page number requested is larger than the number of pages available.',
          data: { status: 400 },
        },
      },
    ],
    item: ['/wp-json/wp/v2/books/1', one],
    created: { status: 201, headers: { Location: `${origin}/wp-json/wp/v2/books/1` }, body: one },
    updated: { body: one },
    invalid: {
      status: 400,
      body: {
        code: 'rest_invalid_param',
        message: 'Invalid parameter(s): title',
        data: {
          status: 400,
          params: { title: 'title is not of type string.' },
          details: {
            title: { code: 'rest_invalid_type', message: 'title is not of type string.', data: null },
          },
        },
      },
    },
  },
  'json-server': {
    preset: presets.jsonServer,
    query: '/books?_sort=title&_order=desc&_expand=author&_page=2&_limit=2',
    pages: [
      [
        '/books?_page=1&_limit=2',
        {
          headers: {
            'X-Total-Count': '3',
            Link: `<${origin}/books?_page=1&_limit=2>; rel="first", <${origin}/books?_page=2&_limit=2>; rel="next", <${origin}/books?_page=2&_limit=2>; rel="last"`,
          },
          body: [one, two],
        },
      ],
      [
        '/books?_page=2&_limit=2',
        {
          headers: {
            'X-Total-Count': '3',
            Link: `<${origin}/books?_page=1&_limit=2>; rel="first", <${origin}/books?_page=1&_limit=2>; rel="prev", <${origin}/books?_page=2&_limit=2>; rel="last"`,
          },
          body: [three],
        },
      ],
    ],
    past: ['/books?_page=9&_limit=2', { headers: { 'X-Total-Count': '3' }, body: [] }],
    item: ['/books/1', one],
    created: { status: 201, headers: { Location: `${origin}/books/1` }, body: one },
    updated: { body: one },
  },
  rails: {
    preset: rails,
    query: '/books?page=2&per_page=2',
    pages: [
      [
        '/books?per_page=2',
        {
          headers: {
            Link: `<${origin}/books?page=2&per_page=2>; rel="last", <${origin}/books?page=2&per_page=2>; rel="next"`,
            Total: '3',
            'Per-Page': '2',
          },
          body: [one, two],
        },
      ],
      [
        '/books?page=2&per_page=2',
        {
          headers: {
            Link: `<${origin}/books?page=1&per_page=2>; rel="first", <${origin}/books?page=1&per_page=2>; rel="prev"`,
            Total: '3',
            'Per-Page': '2',
          },
          body: [three],
        },
      ],
    ],
    past: ['/books?page=9&per_page=2', { headers: { Total: '3', 'Per-Page': '2' }, body: [] }],
    item: ['/books/1', one],
    created: { status: 201, headers: { Location: `${origin}/books/1` }, body: one },
    updated: { body: one },
    invalid: { status: 422, body: { title: ["can't be blank"] } },
  },
};
