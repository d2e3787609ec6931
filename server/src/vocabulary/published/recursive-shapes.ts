/** Finds shapes that hold themselves, such as steps within steps: a JSON Schema has to refer to them. */
import type { KeyTable, Shape } from '../shape.ts';

/** At least one shape of each circle. */
export function recursiveShapes(keys: KeyTable): ReadonlySet<Shape> {
  const found = new Set<Shape>();
  const open = new Set<Shape>();
  const done = new Set<Shape>();
  const visit = (shape: Shape): void => {
    if (open.has(shape)) found.add(shape);
    if (open.has(shape) || done.has(shape)) return;
    open.add(shape);
    for (const part of partsOf(shape)) visit(part);
    open.delete(shape);
    done.add(shape);
  };
  for (const { shape } of keys) visit(shape);
  return found;
}

function partsOf(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case 'list':
      return [shape.items];
    case 'map':
      return shape.keys.map((key) => key.shape);
    case 'record':
      return [shape.values];
    case 'either':
      return shape.shapes;
    default:
      return [];
  }
}
