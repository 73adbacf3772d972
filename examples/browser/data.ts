const names = [
  'Harbour Books',
  'Van Dijk Fietsen',
  'Nordlys Kaffe',
  'Atelier Moreau',
  'Linden Pharmacy',
  'Tre Fontane',
];
const cities = ['Rotterdam', 'Utrecht', 'Bergen', 'Lyon', 'Graz', 'Verona'];
const models = ['Router R2', 'Switch S8', 'Handset H1', 'Access point A3'];

export const companies = names.map((name, index) => ({ id: index + 1, name, city: cities[index] }));

const start = Date.UTC(2026, 9, 31, 18);

/** Newer orders are more likely to be open. */
const statusOf = (age: number): 'open' | 'shipped' | 'cancelled' => {
  if (age % 17 === 5) return 'cancelled';
  return age < 6 || (age < 40 && age % 3 === 0) ? 'open' : 'shipped';
};

export const orders = Array.from({ length: 2_400 }, (_, age) => ({
  id: 2_400 - age,
  status: statusOf(age),
  createdAt: new Date(start - age * 171 * 60_000).toISOString(),
  device: { model: models[(age * 7) % 4], serial: `S-${10_000 + age}` },
  lines: [{ sku: `SKU-${age % 20}`, quantity: 1 + (age % 4) }],
  company: 1 + ((age * 5 + (age >> 3)) % names.length),
}));
