/** What an error falls back to: a constant, a field or a skill (docs/format.md, section 6, "Contracts"). */
import type { Analysis } from '../../analysis/analysis.ts';
import type { Draft } from '../../finding.ts';
import { allSchemas, isUsable, type Schema, typeAt } from '../../languages/schema/schema.ts';
import { findValue, type Json, listItems, type YamlScalar } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { replaceName } from './name-fixes.ts';

/** A fallback that is a name, and names nothing. Other text is a constant, and so is what is no text. */
export function* checkFallbacks(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const fallbacks = listItems(findSkillEntry(file.frontmatter.tree.root, 'errors')?.value).flatMap((error) => {
    const node = findValue(error, 'fallback');
    return node?.kind === 'scalar' && isName(node) ? [node] : [];
  });
  const schemas = [file.contract.input, file.contract.output].flatMap((side) => side?.schema ?? []);
  if (fallbacks.length === 0 || analysis.partial || !schemas.every(isUsable)) return;
  const constants = new Set(schemas.flatMap(({ json }) => constantsIn(json)));
  for (const node of fallbacks) {
    const name = String(node.value);
    if (constants.has(name) || isField(schemas, name) || analysis.isSkillName(name)) continue;
    const near = nearestNames(name, [...constants, ...fieldsOf(schemas), ...analysis.graph.names]);
    yield {
      // A text of the caller's own is a constant, too, where it resembles no name.
      ...(near.length === 0 ? { severity: 'warning' as const } : {}),
      span: node.span,
      message: `The error falls back to \`${name}\`, but that is no constant of the schemas, no field and no skill, so nothing can take the place of the result.${didYouMean(near)}`,
      fixes: replaceName(file, [node.span], near),
    };
  }
}

const isName = ({ value }: YamlScalar): boolean => typeof value === 'string' && /^[\w$.:/-]+$/.test(value);

/** The texts that a schema names itself: constants, enumerations, defaults. */
const constantsIn = (schema: Json): readonly string[] =>
  [...allSchemas(schema)].flatMap((part) =>
    [part.const, part.default, ...(Array.isArray(part.enum) ? part.enum : [])].filter(
      (value): value is string => typeof value === 'string',
    ),
  );

/** `locale`, `title.name` or `$input.locale`. */
function isField(schemas: readonly Schema[], name: string): boolean {
  const path = name.replace(/^\$(?:input|output)\./, '').split('.');
  return schemas.some((schema) => typeAt(schema, path) !== undefined);
}

const fieldsOf = (schemas: readonly Schema[]): readonly string[] =>
  schemas.flatMap(({ fields }) => fields.map(({ name }) => name));
