/** The shape of the tables of what the engine knows by name. */

/** `position` takes no name in a call and `name` nothing else; `rest` takes any number of arguments. */
export interface BuiltinParameter {
  readonly name: string;
  readonly passed: 'position' | 'name' | 'either' | 'rest';
  readonly optional: boolean;
}

export interface Builtin {
  readonly name: string;
  /** As it would be written: `replace(from, to)`; optional parameters are marked with `?`. */
  readonly signature: string;
  readonly parameters: readonly BuiltinParameter[];
  /** One line. */
  readonly docs: string;
  /** A template and what it renders to; the tests run them. */
  readonly example: readonly [source: string, output: string];
  /** Where newer versions or other builds differ from the packaged MiniJinja 2.11. */
  readonly notes: string | undefined;
}

/**
 * An entry from a compact form: parameters separated by commas, `x?` optional, `x=` by name only, `x?=` by name or
 * position, `*x` any number.
 */
export function builtin(
  name: string,
  parameters: string,
  docs: string,
  example: readonly [string, string],
  notes?: string,
): Builtin {
  const list = parameters === '' ? [] : parameters.split(', ').map(parameterOf);
  const written = list.map(({ name: word, passed, optional }) => {
    if (passed === 'rest') return `*${word}`;
    return passed === 'name' ? `${word}=…` : word + (optional ? '?' : '');
  });
  const signature = list.length === 0 ? name : `${name}(${written.join(', ')})`;
  return { name, signature, parameters: list, docs, example, notes };
}

function parameterOf(written: string): BuiltinParameter {
  const name = written.replace(/[*?=]/g, '');
  if (written.startsWith('*')) return { name, passed: 'rest', optional: true };
  const optional = written.includes('?');
  if (!written.endsWith('=')) return { name, passed: 'position', optional };
  return { name, passed: optional ? 'either' : 'name', optional: true };
}

export const tableOf = (entries: readonly Builtin[]): ReadonlyMap<string, Builtin> =>
  new Map(entries.map((entry) => [entry.name, entry]));
