/** Before the major version in a path: `/v<major>/<resource path>` (§9). */
export const versionPrefix = 'v';
