/** A JSON Schema of OpenAPI 3.1 (draft 2020-12), in the document of {@link toOpenApi}. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** A reference to a component of the document of {@link toOpenApi}. */
export interface ReferenceObject {
  readonly $ref: string;
}

/** What the document of {@link toOpenApi} is about. */
export interface InfoObject {
  /** The name of the API. */
  readonly title: string;
  /** The version of the document. */
  readonly version: string;
  /** Any other field of OpenAPI's Info Object, for example `description` in CommonMark, `license` and `contact`. */
  readonly [field: string]: unknown;
}

/** Where the APIs live, for {@link toOpenApi}. */
export interface ServerObject {
  /** The base URL of the APIs, without the major version. */
  readonly url: string;
  /** Which instance it is, for example the test environment. */
  readonly description?: string;
}

/** A header field of a response in the document of {@link toOpenApi}. */
export interface HeaderObject {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

/** A parameter of an operation in the document of {@link toOpenApi}. */
export interface ParameterObject extends HeaderObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly style?: 'form';
  readonly explode?: boolean;
}

/** A body, by its content type, in the document of {@link toOpenApi}. */
export type ContentObject = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** A response with a status in the document of {@link toOpenApi}. */
export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderObject | ReferenceObject>>;
  readonly content?: ContentObject;
}

/** One method of a path in the document of {@link toOpenApi}. */
export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  /** The names of security schemes, each with its scopes. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (ParameterObject | ReferenceObject)[];
  readonly requestBody?: {
    /** Where the requirements of fields are described (§2.3), by dotted path. */
    readonly 'x-restkin-references'?: Readonly<Record<string, string | undefined>>;
    /** The most bytes that a bulk request may have (§8). */
    readonly 'x-restkin-max-bytes'?: number;
    readonly required: true;
    readonly content: ContentObject;
  };
  readonly responses: Readonly<Record<string, ResponseObject | ReferenceObject>>;
}

/** The methods of a path in the document of {@link toOpenApi}. */
export interface PathItemObject
  extends Readonly<
    Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete' | 'options', OperationObject>>
  > {
  readonly servers?: readonly ServerObject[];
  readonly parameters?: readonly ParameterObject[];
}

/** A security scheme, for example `{ type: 'apiKey', in: 'header', name: 'X-Api-Key' }`, for {@link toOpenApi}. */
export interface SecuritySchemeObject {
  readonly type: 'apiKey' | 'http' | 'mutualTLS' | 'oauth2' | 'openIdConnect';
  /** Any other field of OpenAPI's Security Scheme Object. */
  readonly [field: string]: unknown;
}

/** An OpenAPI 3.1 document, made by {@link toOpenApi}. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: InfoObject;
  readonly servers: readonly ServerObject[];
  /** One for each collection. */
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  /** By path, in the order of the declarations. */
  readonly paths: Readonly<Record<string, PathItemObject>>;
  /** Each kind in the order of its names. */
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, ParameterObject>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes: Readonly<Record<string, SecuritySchemeObject>>;
  };
}

/** An API's own security schemes for {@link toOpenApi}, by their names in its declaration. */
export type SecuritySchemes = Readonly<Record<string, SecuritySchemeObject>>;

/** Options of {@link toOpenApi}: what a declaration does not say. */
export interface OpenApiOptions {
  /** What the document is about; by default the names of the APIs and their major version. */
  readonly info?: Partial<InfoObject>;
  /** Where the APIs live: the base URLs of a client. `/` by default. */
  readonly servers?: readonly ServerObject[];
  /** Where the token endpoint lives (§4.1); by default the same servers. */
  readonly authUrl?: string;
  /** The schemes of `customAuth` (§5), by their names in the declaration. */
  readonly securitySchemes?: SecuritySchemes;
  /** Lists in a query as strings that are joined with commas, for tools that write `explode: false` wrong; false by default. */
  readonly plainLists?: boolean;
  /** Responses in full only, for tools that would make each field optional because of `fields`; false by default. */
  readonly fullResponses?: boolean;
}
