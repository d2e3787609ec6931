/** Shapes of data from outside. A shape says what is wrong with a value at a path, or nothing where it fits. */
export type Shape = (value: unknown, path: string) => string | undefined;

const whether =
  (holds: (value: unknown) => boolean, what: string): Shape =>
  (value, path) =>
    holds(value) ? undefined : `\`${path}\` must be ${what}`;

export const anything: Shape = () => undefined;
export const text: Shape = whether((value) => typeof value === 'string', 'a string');
export const flag: Shape = whether((value) => typeof value === 'boolean', '`true` or `false`');
export const count: Shape = whether((value) => Number.isInteger(value) && Number(value) >= 0, 'a whole number from 0');
export const integer: Shape = whether(Number.isInteger, 'a whole number');
export const key: Shape = whether((value) => ['string', 'number'].includes(typeof value), 'a string or a number');

export const oneOf = (...words: readonly string[]): Shape =>
  whether((value) => words.includes(value as string), words.map((word) => `\`${word}\``).join(' or '));

/** Clients write null for what they leave out. */
export const optional =
  (shape: Shape): Shape =>
  (value, path) =>
    value === undefined || value === null ? undefined : shape(value, path);

export const list =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return `\`${path}\` must be a list`;
    for (const [at, item] of value.entries()) {
      const problem = shape(item, `${path}[${at}]`);
      if (problem) return problem;
    }
    return undefined;
  };

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object with values of one shape under whatever names. */
export const recordOf =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!isRecord(value)) return `\`${path}\` must be an object`;
    const problems = Object.entries(value).map(([name, one]) => shape(one, `${path}.${name}`));
    return problems.find((problem) => problem !== undefined);
  };

/** An object with at least these fields. */
export const object =
  (fields: Readonly<Record<string, Shape>>): Shape =>
  (value, path) => {
    if (!isRecord(value)) return `\`${path}\` must be an object`;
    for (const [name, shape] of Object.entries(fields)) {
      const problem = shape(Object.hasOwn(value, name) ? value[name] : undefined, `${path}.${name}`);
      if (problem) return problem;
    }
    return undefined;
  };
