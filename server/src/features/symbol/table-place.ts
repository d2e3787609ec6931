/** What the tables of the vocabulary say about a path of keys and indices. */
import type { Path } from '../../languages/yaml/cursor-place.ts';
import { alternatives, type KeyTable, type Shape, shapeAt } from '../../vocabulary/shape.ts';

/** What a table says about a path: the shapes that may stand there, or that it leads into a schema. */
export interface TablePlace {
  readonly shapes: readonly Shape[];
  readonly schema: { readonly at: Path; readonly rest: Path } | undefined;
}

export function placeInTable(table: KeyTable, path: Path): TablePlace {
  for (let length = 1; length <= path.length; length++) {
    const shape = shapeAt(table, path.slice(0, length));
    if (!shape) break;
    if (!alternatives(shape).some(({ kind }) => kind === 'schema')) continue;
    return { shapes: [], schema: { at: path.slice(0, length), rest: path.slice(length) } };
  }
  const shape = shapeAt(table, path);
  return { shapes: shape ? alternatives(shape) : [], schema: undefined };
}

/** Whether a path has the form of a pattern, in which `*` is any key and `#` any index. */
export const fits = (path: Path, ...pattern: readonly string[]): boolean =>
  path.length === pattern.length &&
  pattern.every((part, i) =>
    part === '*' ? typeof path[i] === 'string' : part === '#' ? typeof path[i] === 'number' : path[i] === part,
  );
