/** The variables of templates and conditions, as Markdown: where they come from, and their values in samples. */
import type { DefinitionKind } from '../../languages/minijinja/scope-model.ts';
import { jsonOf, nodeAt } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineAt } from '../../text.ts';
import { CONDITION_VARIABLES, TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';
import { code, describedBy, factLine, fence, type Markdown, md, ours, paragraphs, rows } from '../markdown.ts';
import { describeMacro, findMacro } from '../symbol/macros.ts';
import type { SkillSymbol } from '../symbol/skill-symbol.ts';
import { findTemplate } from '../symbol/template-at.ts';
import { valueAt } from '../symbol/template-values.ts';

const DEFINED: Readonly<Record<DefinitionKind, string>> = {
  set: 'set in this template',
  for: 'takes each item of the loop in turn',
  with: 'of the `with` block',
  macro: 'macro',
  parameter: 'parameter of the macro',
  import: 'imported',
  loop: 'the loop around this place',
  caller: 'what the `call` block holds',
  self: 'the blocks of this template',
  super: 'what the block of the extended template holds',
};

export function explainVariable(file: SkillFile, symbol: SkillSymbol & { kind: 'variable' }): Markdown | undefined {
  const { name, path, variable, scopes, place } = symbol;
  const value = valueAt(file, scopes, name, variable, path);
  const title = md`**${[name, ...path.map((segment) => segment.name)].join('.')}**`;
  const docs = describedBy(value?.docs);
  if (path.length > 0) return value && paragraphs(factLine(title, code(value.type)), docs);
  if (variable) {
    const kind = variable.definitions[0]?.kind ?? 'set';
    const type = kind === 'loop' ? undefined : value?.type;
    return paragraphs(
      factLine(title, type && code(type), ours(DEFINED[kind]), linesOf(file, symbol)),
      callOf(file, symbol),
      docs,
    );
  }
  const ambient = (place === 'template' ? TEMPLATE_VARIABLES : CONDITION_VARIABLES).find((one) => one.name === name);
  return ambient && paragraphs(md`${title} · ${ambient.type}, from the composer`, ours(ambient.docs));
}

const MAX_SHOWN = 3;

/** The lines that define the name, without the place itself. */
function linesOf(
  { lines }: SkillFile,
  { variable, place, span }: SkillSymbol & { kind: 'variable' },
): string | undefined {
  if (!variable || variable.implicit || place !== 'template') return undefined;
  const written = variable.definitions.filter((definition) => definition.span.start !== span.start);
  const numbers = [...new Set(written.map((definition) => lineAt(lines, definition.span.start) + 1))];
  if (numbers.length === 0) return undefined;
  const more = numbers.length > MAX_SHOWN ? ' and more' : '';
  return `line ${numbers.slice(0, MAX_SHOWN).join(', ')}${more}`;
}

function callOf(file: SkillFile, { name, span }: SkillSymbol & { kind: 'variable' }): Markdown | undefined {
  const here = findTemplate(file, span.start);
  const macro = here && findMacro(file, here, [name], span.end);
  return macro && fence('jinja', describeMacro(macro, file.text).label);
}

/** How much of a value is shown, in characters. */
const MAX_VALUE = 60;

/** The values of a parameter in the samples that have one. */
export function sampleValues({ contract }: SkillFile, path: readonly string[]): Markdown | undefined {
  const given = contract.samples.flatMap(({ name, parameters }) => {
    const node = nodeAt(parameters, path);
    return node ? [{ name, value: JSON.stringify(jsonOf(node)) ?? 'null' }] : [];
  });
  if (given.length === 0) return undefined;
  const lines = given.slice(0, MAX_SHOWN).map(({ name, value }) => {
    const shown = value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
    return md`- ${code(name)}: ${code(shown)}`;
  });
  if (given.length > MAX_SHOWN) lines.push(md`- and ${given.length - MAX_SHOWN} more`);
  return paragraphs(md`In the samples`, rows(lines));
}
