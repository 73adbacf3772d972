/** What `permissions` is asked about. */
export interface PermissionRequest {
  /** As sent, for example `DELETE`. */
  readonly method: string;
  /** The key of the collection in the declaration. */
  readonly collection: string;
  /** The username. */
  readonly user: string;
}

/** Somebody who may obtain tokens (§5.2) and use Basic authentication (§5.1). */
export interface MockUser {
  /** Compared letter by letter. */
  readonly username: string;
  /** Compared letter by letter. */
  readonly password: string;
  /** Says whether the user may do this; `false` is answered with 403 (§5.2.9). Everything by default. */
  readonly permissions?: ((request: PermissionRequest) => boolean | Promise<boolean>) | undefined;
}
