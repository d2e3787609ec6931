/**
 * Finds the order of composed skills in a composite without an `execution` (docs/format.md, section 4, "Execution").
 */

/** The names that a composed skill reads from the flow (`takes`) and writes to it (`gives`). */
export interface FlowNames {
  readonly takes: readonly string[];
  readonly gives: readonly string[];
}

interface Side {
  /** The names of the fields; undefined if the schema allows other fields. */
  readonly fields: readonly string[] | undefined;
  /**
   * Pairs of names. An input has the name in the flow before the name in the skill, and an output has the reverse
   * order.
   */
  readonly mapping: readonly (readonly [string, string])[];
}

/**
 * Returns the names that a composed skill reads and writes; undefined if a schema allows fields that it does not name.
 */
export function flowNames(input: Side, output: Side): FlowNames | undefined {
  if (!input.fields || !output.fields) return undefined;
  const sources = new Map(input.mapping.map(([flow, own]) => [own, flow]));
  const targets = new Map(output.mapping);
  return {
    takes: input.fields.map((name) => sources.get(name) ?? name),
    gives: output.fields.map((name) => targets.get(name) ?? name),
  };
}

/**
 * Returns the indices of composed skills in order, grouped so that the skills of a group do not depend on each other
 * (docs/format.md, section 4, "Execution"). A skill whose names are not known is a group of its own.
 */
export function groupIndependentSkills(parts: readonly (FlowNames | undefined)[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  let taken = new Set<string>();
  let given = new Set<string>();
  let isClosed = true;
  for (const [at, part] of parts.entries()) {
    const clashes =
      !part ||
      part.takes.some((name) => given.has(name)) ||
      part.gives.some((name) => given.has(name) || taken.has(name));
    if (isClosed || clashes) {
      groups.push([]);
      taken = new Set();
      given = new Set();
    }
    isClosed = !part;
    groups.at(-1)?.push(at);
    for (const name of part?.takes ?? []) taken.add(name);
    for (const name of part?.gives ?? []) given.add(name);
  }
  return groups;
}
