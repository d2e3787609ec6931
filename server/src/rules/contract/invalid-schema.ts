import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import type { SchemaProblem } from '../../languages/schema/schema.ts';
import { appendItem, formatScalar, insertEntry, removeEntry, setScalar } from '../../languages/yaml/edit.ts';
import {
  findValue,
  listItems,
  mapsByKeyOffset,
  stringOf,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
} from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Rule } from '../engine/rule.ts';
import { schemaProblems } from './schema-problems.ts';

export const invalidSchema: Rule = {
  name: 'invalid-schema',
  number: 'E005',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 3' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file) {
    for (const problem of schemaProblems(file)) {
      if (problem.rule === undefined) yield draftOf(file, problem);
    }
  },
};

function draftOf(file: SkillFile, problem: SchemaProblem): Draft {
  const { span, message, severity, fix } = problem;
  return {
    span,
    message,
    fixes: fix ? fixHere(file, fix.title, [{ span: fix.span, newText: fix.newText }]) : [],
    ...duplicating(file, problem),
    ...booleanRequired(file, problem),
    ...(severity ? { severity } : {}),
  };
}

/** Returns the message and the fixes for a key whose correction is already a key of the same field. */
function duplicating(file: SkillFile, { span, meant }: SchemaProblem): Pick<Draft, 'message' | 'fixes'> | undefined {
  const { text, frontmatter } = file;
  if (meant === undefined) return undefined;
  const map = mapsByKeyOffset(frontmatter.tree.root).get(span.start);
  const wrong = map?.entries.find(({ key }) => key.span.start === span.start);
  const right = map?.entries.find((entry) => entry !== wrong && entry.key.value === meant);
  if (!map || !wrong || !right) return undefined;
  const [name, other] = [String(wrong.key.value), String(right.key.value)];
  const removal = removeEntry(text, map, name);
  const contradicts = name === 'optional' && right.value.kind === 'scalar' && right.value.value === true;
  return {
    message: `Unknown key \`${name}\`, and the field already has \`${other}\`. Remove \`${name}\`.`,
    fixes: [
      ...fixHere(file, `Remove \`${name}\``, removal),
      ...(contradicts && right.value.kind === 'scalar' && removal.length > 0
        ? fixHere(file, 'Write `required: false`', [...removal, ...setScalar(text, right.value, false)])
        : []),
    ],
  };
}

/** Returns the fix for a boolean `required` of a property, which belongs in the list of the enclosing schema. */
function booleanRequired(file: SkillFile, { span: place }: SchemaProblem): Pick<Draft, 'fixes'> | undefined {
  const { text, frontmatter } = file;
  const [schema, properties, property] = pathTo(frontmatter.tree.root, place.start).slice(-3);
  if (schema?.entry.key.value !== 'properties' || property?.entry.key.value !== 'required') return undefined;
  const { value } = property.entry;
  if (!properties || value.kind !== 'scalar' || typeof value.value !== 'boolean') return undefined;
  const name = String(properties.entry.key.value);
  const removal = removeEntry(text, property.map, 'required');
  if (!value.value) return { fixes: fixHere(file, 'Remove `required`', removal) };
  const list = findValue(schema.map, 'required');
  const isListed = listItems(list).some((item) => stringOf(item) === name);
  const item = formatScalar(name, true);
  // The end of a block of properties may be the removed line, so a new list precedes the block.
  const where = schema.map.flow ? {} : { before: 'properties' };
  const addition = list
    ? appendItem(text, schema.map, 'required', item)
    : insertEntry(text, schema.map, 'required', `[${item}]`, where);
  if (removal.length === 0 || (!isListed && addition.length === 0)) return undefined;
  const edits = isListed ? removal : [...removal, ...addition];
  return { fixes: fixHere(file, `List \`${name}\` in \`required\``, edits) };
}

/** Returns the entries around an offset, each with its map, outermost first. */
function pathTo(root: YamlNode | undefined, offset: number): { readonly map: YamlMap; readonly entry: YamlEntry }[] {
  const path: { readonly map: YamlMap; readonly entry: YamlEntry }[] = [];
  const isAround = ({ span }: YamlNode): boolean => span.start <= offset && offset < span.end;
  for (let node = root; node; ) {
    if (node.kind === 'list') node = node.items.find(isAround);
    else if (node.kind === 'map') {
      const entry: YamlEntry | undefined = node.entries.find(({ value }) => isAround(value));
      if (entry) path.push({ map: node, entry });
      node = entry?.value;
    } else return path;
  }
  return path;
}
