import type { Family } from '../families/family.ts';

/** A JSON Schema (draft 2020-12), or another object of OpenAPI 3.1, in the document of {@link toOpenApi}. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** A parameter of an operation in the document of {@link toOpenApi}. */
export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description?: string;
  readonly required?: boolean;
  readonly style?: 'form';
  readonly explode?: boolean;
  readonly schema: JsonSchema;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** A response with a status in the document of {@link toOpenApi}. */
export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: JsonSchema }>>;
  readonly content?: Content;
}

/** One method of a path in the document of {@link toOpenApi}. */
export interface OperationObject {
  readonly operationId: string;
  /** The name of an endpoint or an action, where `operationId` does not say it. */
  readonly 'x-restkin-name'?: string;
  readonly summary: string;
  readonly tags: readonly string[];
  /** The names of security schemes, each with its scopes. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: {
    /** Where the requirements of fields are described (§2.3), by dotted path. */
    readonly 'x-restkin-references'?: Readonly<Record<string, string | undefined>>;
    /** The most bytes that a bulk request may have (§8). */
    readonly 'x-restkin-max-bytes'?: number;
    readonly required?: boolean;
    readonly content: Content;
  };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** The methods of a path in the document of {@link toOpenApi}. */
export interface PathItemObject
  extends Readonly<
    Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete' | 'options', OperationObject>>
  > {
  readonly parameters?: readonly ParameterObject[];
  /** The parts in which the family of a collection differs from that of its API. */
  readonly 'x-restkin-family'?: Family;
  /** The field in the path of one resource of a collection, where it is not the `id`. */
  readonly 'x-restkin-key'?: string;
}

/**
 * An API's own security schemes for {@link toOpenApi}, by their names in its declaration: Security Scheme
 * Objects of OpenAPI.
 */
export type SecuritySchemes = Readonly<Record<string, JsonSchema>>;

/** An OpenAPI 3.1 document, made by {@link toOpenApi}. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: JsonSchema & { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
  /** By path, in the order of the declaration. */
  readonly paths: Readonly<Record<string, PathItemObject>>;
  /** Each kind in the order of its names. */
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: SecuritySchemes;
  };
  /** The family of the API, where it is another one than that of the conventions: what differs from them. */
  readonly 'x-restkin-family'?: Family;
}

/** Options of {@link toOpenApi}: what a declaration does not say. */
export interface OpenApiOptions {
  /** Fields of OpenAPI's Info Object; by default the name of the API and its major version. */
  readonly info?: Partial<OpenApiDocument['info']>;
  /** Where the API lives: the base URLs of a client. `/` by default. */
  readonly servers?: OpenApiDocument['servers'] | undefined;
  /** Where the token endpoint lives (§4.1), for the description of the scheme. */
  readonly authUrl?: string | undefined;
  /** The schemes of `customAuth` (§5), by their names in the declaration. */
  readonly securitySchemes?: SecuritySchemes | undefined;
  /**
   * Lists in a query as strings that are joined with commas, for tools that get `explode: false` wrong; false
   * by default.
   */
  readonly plainLists?: boolean | undefined;
  /**
   * Responses in full only, for tools that would make each field optional because of `fields`; false by
   * default.
   */
  readonly fullResponses?: boolean | undefined;
}
