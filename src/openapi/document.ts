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
  /** What the API is for, in CommonMark. */
  readonly description?: string;
  /** Any other field of OpenAPI's Info Object, for example `license` and `contact`. */
  readonly [field: string]: unknown;
}

/** Where the APIs live, for {@link toOpenApi}. */
export interface ServerObject {
  /** The base URL of the APIs, without the major version. */
  readonly url: string;
  /** Which instance it is, for example the test environment. */
  readonly description?: string;
}

/** A parameter of an operation in the document of {@link toOpenApi}. */
export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly style?: 'form';
  readonly explode?: boolean;
  readonly schema: JsonSchema;
}

/** A header field of a response in the document of {@link toOpenApi}. */
export interface HeaderObject {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

/** A content type with its schema in the document of {@link toOpenApi}. */
export type ContentObject = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** A response with a status in the document of {@link toOpenApi}. */
export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderObject | ReferenceObject>>;
  readonly content?: ContentObject;
}

/** The body of a request in the document of {@link toOpenApi}. */
export interface RequestBodyObject {
  readonly description?: string;
  /** Where the requirements of fields are described (§2.3), by dotted path. */
  readonly 'x-restkin-references'?: Readonly<Record<string, string>>;
  /** The most bytes that a bulk request may have (§8). */
  readonly 'x-restkin-max-bytes'?: number;
  readonly required: true;
  readonly content: ContentObject;
}

/** The names of security schemes, each with its scopes, in the document of {@link toOpenApi}. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** One method of a path in the document of {@link toOpenApi}. */
export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security: readonly SecurityRequirement[];
  readonly parameters?: readonly (ParameterObject | ReferenceObject)[];
  readonly requestBody?: RequestBodyObject;
  readonly responses: Readonly<Record<string, ResponseObject | ReferenceObject>>;
}

/** The methods of a path in the document of {@link toOpenApi}. */
export interface PathItemObject {
  readonly servers?: readonly ServerObject[];
  readonly parameters?: readonly ParameterObject[];
  readonly get?: OperationObject;
  readonly post?: OperationObject;
  readonly put?: OperationObject;
  readonly patch?: OperationObject;
  readonly delete?: OperationObject;
  readonly options?: OperationObject;
}

/** A group of operations, those of one collection, in the document of {@link toOpenApi}. */
export interface TagObject {
  /** The API, its major version and the collection. */
  readonly name: string;
  /** Which collection of which API it is. */
  readonly description: string;
}

/**
 * A security scheme, for example `{ type: 'apiKey', in: 'header', name: 'X-Api-Key' }`, in the document of
 * {@link toOpenApi}.
 */
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
  readonly tags: readonly TagObject[];
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
