/** Fields that every resource has, also under field limiting (§2.1). */
export const identityFields = ['id', 'self'] as const;
