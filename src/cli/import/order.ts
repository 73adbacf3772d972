import { constantsIn } from './code.ts';
import { type Constant, createPrinter, type Report } from './print-schema.ts';
import type { Resources } from './resources.ts';
import type { Schema } from './schema.ts';

type Printer = ReturnType<typeof createPrinter>;

/** The components that are options of a union, at any depth of a schema. */
const optionsIn = (schema: Schema, isOption = false): readonly string[] => {
  if (schema.$ref !== undefined) return isOption ? [schema.$ref] : [];
  const { anyOf = [], allOf = [], prefixItems = [], properties = {}, items, additionalProperties } = schema;
  const others = [
    ...prefixItems,
    ...Object.values(properties),
    ...[items ?? [], additionalProperties ?? []].flat(),
  ];
  return [
    ...anyOf.flatMap((one) => optionsIn(one, anyOf.length > 2 || anyOf.every(({ type }) => type !== 'null'))),
    ...allOf.flatMap((one) => optionsIn(one, isOption)),
    ...others.flatMap((one) => optionsIn(one)),
  ];
};

/**
 * Puts the constants that a program needs in the order in which they need each other: a constant follows what it names, except
 * where the two name each other.
 *
 * @param writeStatements - writes what names constants and is named by none
 */
export const orderConstants = (
  writeStatements: (printer: Printer) => readonly string[],
  constantOf: (key: string) => Constant | undefined,
  resources: Resources,
) => {
  const nothing: Report = () => undefined;
  const draft = createPrinter({ resources, loose: new Set(), isLate: () => false, report: nothing });
  const keys = new Set<string>();
  const entered = new Set<string>();
  const enter = (key: string): void => {
    const found = constantOf(key);
    if (found === undefined || entered.has(key)) return;
    entered.add(key);
    for (const other of constantsIn(draft.printConstant(key, found))) enter(other);
    keys.add(key);
  };
  for (const statement of writeStatements(draft)) for (const key of constantsIn(statement)) enter(key);

  const ordered = [...keys];
  const positions = new Map(ordered.map((key, index) => [key, index]));
  const loose = new Set(ordered.flatMap((key) => optionsIn(constantOf(key)?.schema ?? {})));
  const late = new Map<Schema, string>();
  return {
    keys: ordered,
    /** The statement that declares a constant. */
    print: (key: string, report: Report): readonly string[] => {
      const found = constantOf(key);
      if (found === undefined) return [];
      const isLate = (other: string): boolean => (positions.get(other) ?? 0) >= (positions.get(key) ?? 0);
      return [createPrinter({ resources, loose, isLate, report, late }).printConstant(key, found)];
    },
    /** Prints what follows the constants. */
    printer: (report: Report): Printer =>
      createPrinter({ resources, loose, isLate: () => false, report, late }),
  };
};
