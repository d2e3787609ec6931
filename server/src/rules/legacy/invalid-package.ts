import type { Draft } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import { parseTemplate } from '../../languages/minijinja/parser.ts';
import { parseSchema, regexProblems } from '../../languages/schema/schema.ts';
import { isJson } from '../../languages/yaml/json.ts';
import { findValue, isNull, listItems, numberOf, stringOf, type YamlNode } from '../../languages/yaml/node.ts';
import { sourceSpans } from '../../languages/yaml/source-spans.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';

/** The defects of a legacy package, at their positions in the JSON. */
export const invalidPackage: Rule = {
  name: 'invalid-package',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 8' },
  dialects: ['package'],
  *check(file) {
    const { tree } = file.frontmatter;
    yield* shapeProblems(file);
    const artifacts = listItems(findValue(tree.root, 'artifacts'));
    yield* duplicates(file, artifacts);
    for (const artifact of artifacts) yield* checkArtifact(file, artifact, artifacts);
  },
};

/** Reports values of a wrong shape, and misspelt keys. Other unknown keys are allowed. */
function* shapeProblems(file: SkillFile): Iterable<Draft> {
  for (const { kind, span, message, fixes, rule } of file.problems) {
    if (rule === 'duplicate-key' || (kind === 'unknown-key' && fixes.length === 0)) continue;
    // The fixes are omitted, because they write YAML, in which strings need no quotes.
    yield { span, message, ...(kind === 'unknown-key' && { severity: 'warning' }) };
  }
}

const nameIn = (artifact: YamlNode): string | undefined => stringOf(findValue(artifact, 'name'));
const kindIn = (artifact: YamlNode): string | undefined => stringOf(findValue(artifact, 'kind'));

function* duplicates(file: SkillFile, artifacts: readonly YamlNode[]): Iterable<Draft> {
  const firsts = new Map<string, Span>();
  for (const artifact of artifacts) {
    const name = findValue(artifact, 'name');
    const word = stringOf(name);
    if (!name || word === undefined) continue;
    const variant = stringOf(findValue(artifact, 'model_variant'));
    const key = JSON.stringify([word, variant ?? null]);
    const first = firsts.get(key);
    if (!first) firsts.set(key, name.span);
    else {
      const which = variant === undefined ? '' : ` for \`${variant}\``;
      yield {
        span: name.span,
        message: `Duplicate artifact \`${word}\`${which}. Rename one, or change its \`model_variant\`.`,
        related: placesHere(file, [{ span: first }], 'The first one is here'),
      };
    }
  }
}

function* checkArtifact(file: SkillFile, artifact: YamlNode, all: readonly YamlNode[]): Iterable<Draft> {
  if (isNull(artifact)) {
    yield {
      span: artifact.span,
      message: 'An artifact must be a map, but is `null`. Remove it.',
    };
    return;
  }
  const kind = kindIn(artifact);
  const metadata = findValue(artifact, 'metadata');
  const blob = findValue(artifact, 'state_blob');
  if (kind === 'dspy_module') {
    yield* fallback(file, artifact, metadata, all);
    yield* moduleContent(artifact);
  }
  if (blob && !isNull(blob)) yield* stateBlob(blob, kind);
  if (kind === 'prompt_template') yield* templateProblems(file, findValue(artifact, 'content'));
  for (const assertion of listItems(findValue(metadata, 'assertions'))) {
    yield* checkAssertion(assertion);
    yield* severityProblem(findValue(assertion, 'severity'));
  }
}

/** Checks the fallback of a module, which is the template that replaces the module where modules cannot run. */
function* fallback(
  file: SkillFile,
  artifact: YamlNode,
  metadata: YamlNode | undefined,
  all: readonly YamlNode[],
): Iterable<Draft> {
  const names = all.flatMap((one) => (kindIn(one) === 'prompt_template' ? (nameIn(one) ?? []) : []));
  const templates = [...new Set(names)];
  const value = findValue(metadata, 'fallback_artifact');
  if (!value || isNull(value)) {
    const span = (findValue(artifact, 'kind') ?? artifact).span;
    yield {
      span,
      message:
        'Missing key `fallback_artifact` in `metadata`. Add the name of the `prompt_template` that replaces this `dspy_module`.',
    };
    return;
  }
  const name = stringOf(value);
  if (name !== undefined && templates.includes(name)) return;
  const near = name === undefined ? [] : nearestNames(name, templates);
  const other = all.find((one) => nameIn(one) === name);
  const message =
    other || name === undefined
      ? `\`fallback_artifact\` must name a \`prompt_template\` in this package${name === undefined ? '' : `, but \`${name}\` has another kind`}.`
      : `Unknown \`prompt_template\` \`${name}\`.`;
  yield {
    span: value.span,
    message: `${message}${didYouMean(near)}`,
    fixes: near.flatMap((one) =>
      fixHere(file, `Replace with \`${one}\``, [{ span: value.span, newText: JSON.stringify(one) }]),
    ),
  };
}

/** Checks that the content of a module is JSON with the ID of a shipped template. */
function* moduleContent(artifact: YamlNode): Iterable<Draft> {
  const content = findValue(artifact, 'content');
  const text = stringOf(content);
  if (!content || text === undefined) return;
  const requirement = 'The content of a `dspy_module` must be JSON with a `template_id`';
  try {
    const json: unknown = JSON.parse(text);
    const id = typeof json === 'object' && json !== null ? (json as { template_id?: unknown }).template_id : undefined;
    if (typeof id !== 'string')
      yield { span: content.span, message: `${requirement}, which is missing.`, severity: 'warning' };
  } catch {
    yield { span: content.span, message: `${requirement}, but is not JSON.`, severity: 'warning' };
  }
}

/** A placeholder such as `<state of the module>`, which the author replaces. */
const PLACEHOLDER = /^<[^<>]+>$/;

/** The characters of base64. The length of the string is checked separately, so that the pattern stays fast. */
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

/** Returns whether a state is JSON text or base64, whose content is not checked. */
const isState = (text: string): boolean =>
  isJson(text) || (BASE64.test(text) && text.replace(/\s/g, '').length % 4 === 0);

/** Reports a state that cannot be loaded. The finding is only a warning, because a conversion omits the state. */
function* stateBlob(blob: YamlNode, kind: string | undefined): Iterable<Draft> {
  if (kind !== undefined && kind !== 'dspy_module') {
    yield {
      span: blob.span,
      message: '`state_blob` has no effect here, because this is not a `dspy_module`. Remove it.',
      severity: 'warning',
    };
    return;
  }
  const text = stringOf(blob);
  if (text === undefined) return;
  if (PLACEHOLDER.test(text.trim()) || isState(text)) return;
  yield {
    span: blob.span,
    message:
      '`state_blob` is neither JSON nor base64, so the state of this module cannot be loaded. A conversion omits it.',
    severity: 'warning',
  };
}

function* templateProblems({ text }: SkillFile, content: YamlNode | undefined): Iterable<Draft> {
  if (content?.kind !== 'scalar' || typeof content.value !== 'string') return;
  const placeOf = sourceSpans(text, content);
  for (const { span, message } of parseTemplate(content.value).problems) {
    yield { span: placeOf(span.start, span.end), message };
  }
}

const ASSERTION_TYPES = ['structural', 'semantic', 'length', 'pattern'];

function* checkAssertion(assertion: YamlNode): Iterable<Draft> {
  const { span } = assertion;
  const type = findValue(assertion, 'type');
  const word = stringOf(type);
  const value = (key: string): YamlNode | undefined => findValue(assertion, key);
  const types = ASSERTION_TYPES.map((one) => `\`${one}\``).join(', ');
  if (assertion.kind !== 'map' || !type) {
    yield { span, message: `An assertion must be a map with a \`type\`, one of ${types}.` };
  } else if (word === undefined || !ASSERTION_TYPES.includes(word)) {
    const near = word === undefined ? [] : nearestNames(word, ASSERTION_TYPES);
    yield { span: type.span, message: `\`type\` must be one of ${types}.${didYouMean(near)}` };
  } else if (word === 'structural') {
    const schema = value('schema');
    if (schema?.kind !== 'map') {
      yield {
        span: schema?.span ?? type.span,
        message: 'A `structural` assertion requires `schema`. Add a JSON Schema.',
      };
    } else {
      for (const problem of parseSchema(schema).problems) {
        const { rule, span: place, message, severity } = problem;
        if (rule === undefined) yield { span: place, message, ...(severity && { severity }) };
      }
    }
  } else if (word === 'length') yield* lengths(type, value('min'), value('max'));
  else if (word === 'pattern') yield* patterns(type, [value('pattern'), value('match'), value('not_match')]);
  else if (stringOf(value('prompt')) === undefined) {
    yield {
      span: value('prompt')?.span ?? type.span,
      message: 'A `semantic` assertion requires `prompt`. Add the question.',
    };
  }
}

const SEVERITIES = ['hard', 'soft'];

/** Reports an unknown severity. Letter case is ignored, because the source of the format writes `Hard`. */
function* severityProblem(severity: YamlNode | undefined): Iterable<Draft> {
  const word = stringOf(severity);
  if (!severity || isNull(severity) || (word !== undefined && SEVERITIES.includes(word.toLowerCase()))) return;
  yield { span: severity.span, message: '`severity` must be `hard` or `soft`.' };
}

function* lengths(type: YamlNode, min: YamlNode | undefined, max: YamlNode | undefined): Iterable<Draft> {
  if (!min && !max) yield { span: type.span, message: 'A `length` assertion requires `min` or `max`. Add one.' };
  for (const bound of [min, max]) {
    if (!bound || isNull(bound) || (numberOf(bound) ?? -1) >= 0) continue;
    yield { span: bound.span, message: 'A length must be a number of at least 0.' };
  }
  const [least, most] = [numberOf(min), numberOf(max)];
  if (min && least !== undefined && most !== undefined && least > most) {
    yield { span: min.span, message: `\`min\` must not be greater than \`max\` (${most}).` };
  }
}

function* patterns(type: YamlNode, values: readonly (YamlNode | undefined)[]): Iterable<Draft> {
  const written = values.filter((value) => value !== undefined);
  if (written.length === 0) {
    yield { span: type.span, message: 'A `pattern` assertion requires `pattern`. Add a regular expression.' };
  }
  for (const value of written) {
    const text = stringOf(value);
    if (text === undefined) yield { span: value.span, message: 'A pattern must be a regular expression in quotes.' };
    else
      for (const { span, message, severity, rule } of regexProblems(text, value.span)) {
        if (rule === undefined) yield { span, message, ...(severity && { severity }) };
      }
  }
}
