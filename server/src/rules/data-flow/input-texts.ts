/** Text in the `inputs` of steps that resembles a reference or a template (docs/format.md, section 4, "Execution"). */

import type { DataFlow } from '../../analysis/data-flow/data-flow.ts';
import { findField, type Side } from '../../analysis/data-flow/fields.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import type { Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import type { YamlNode } from '../../languages/yaml/node.ts';
import { referencesIn } from '../../skill/execution/execution.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, sliceOf, span } from '../../text.ts';

export interface TextProblem {
  readonly span: Span;
  /** The string that contains the text. */
  readonly node: YamlNode;
  readonly message: string;
  readonly fixes: readonly Fix[];
}

/** Returns the texts in a value, at any depth, that were probably meant as references. */
export function textProblems(file: SkillFile, data: DataFlow, node: YamlNode): readonly TextProblem[] {
  if (node.kind === 'list') return node.items.flatMap((item) => textProblems(file, data, item));
  if (node.kind === 'map') return node.entries.flatMap(({ value }) => textProblems(file, data, value));
  if (typeof node.value !== 'string') return [];
  const problem = bareReference(file, data, node, node.value.trim()) ?? braces(file, node);
  return problem ? [problem] : indexes(file, node);
}

/** The text of a reference without its `$`, or in the braces of another language. */
const BARE = /^(?:(?:\{\{|\$\{)\s*\$?)?([A-Za-z_][\w-]*(?:\.\w[\w-]*)+)\s*\}{0,2}$/;

/** The name of an input in the braces of a template, with or without a filter. */
const BRACED_NAME = /^(?:\{\{|\$\{)\s*([A-Za-z_]\w*)\s*\}{1,2}$/;

/** Returns the problem with a text that names an existing input or output exactly. */
function bareReference(file: SkillFile, data: DataFlow, node: YamlNode, source: string): TextProblem | undefined {
  const [, name = ''] = BARE.exec(source) ?? [];
  const [head = '', first = '', second] = name.split('.');
  const isNamed = (side: Side | undefined, field: string | undefined): boolean =>
    side !== undefined && (field === undefined || findField(side, field) !== undefined);
  const exists =
    head === 'input' ? isNamed(data.input, first) : first === 'output' && isNamed(data.steps.get(head)?.output, second);
  const [, input = ''] = BRACED_NAME.exec(source) ?? [];
  const right = exists ? `$${name}` : data.input && findField(data.input, input) ? `$input.${input}` : undefined;
  if (right === undefined) return undefined;
  const message = `\`${source}\` is text, not a reference. Did you mean \`${right}\`?`;
  return { span: node.span, node, message, fixes: replaceName(file, [node.span], [right]) };
}

/** Returns the problem with a text that contains a tag of a template. */
function braces(file: SkillFile, node: YamlNode): TextProblem | undefined {
  const [tag] = /\{\{[^{}\n]{1,200}\}\}|\{%[^{}\n]{1,200}%\}/.exec(sliceOf(file.text, node.span)) ?? [];
  if (tag === undefined) return undefined;
  const start = node.span.start + sliceOf(file.text, node.span).indexOf(tag);
  const message = `\`inputs\` are not rendered, so \`${tag}\` is passed on as text. Write a reference such as \`$input.name\`.`;
  return { span: span(start, start + tag.length), node, message, fixes: [] };
}

/** An index after a reference, such as `[0]` or `["name"]`. */
const INDEX = /^(?:\[\s*(?:-?\d+|"[^"\n]{1,80}"|'[^'\n]{1,80}')\s*\])+/;

/** Returns the problems with indexes after references, which the run does not evaluate. */
function indexes(file: SkillFile, node: YamlNode): readonly TextProblem[] {
  return referencesIn(file.text, node).flatMap(({ span: { start, end } }) => {
    const [index] = INDEX.exec(file.text.slice(end, Math.min(node.span.end, end + 200))) ?? [];
    if (index === undefined) return [];
    const place = span(start, end + index.length);
    const [, name] = /^\[\s*["']([A-Za-z_]\w*)["']\s*\]$/.exec(index) ?? [];
    const right = `${sliceOf(file.text, span(start, end))}.${name}`;
    if (name !== undefined) {
      const message = `\`${index}\` after a reference is passed on as text. Did you mean \`${right}\`?`;
      return [
        {
          span: place,
          node,
          message,
          fixes: fixHere(file, `Replace with \`${right}\``, [{ span: place, newText: right }]),
        },
      ];
    }
    const message = `\`${index}\` after a reference is passed on as text. Pass the whole list, or let a step output the item.`;
    return [{ span: place, node, message, fixes: [] }];
  });
}
