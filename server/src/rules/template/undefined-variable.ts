import type { Analysis } from '../../analysis/analysis.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import { hasOverlap } from '../../analysis/removals.ts';
import {
  AMBIENT_IN_TEMPLATES,
  type ForeignTag,
  fixInCode,
  foreignMessage,
  foreignTagFinder,
  templateCode,
  typeProblems,
  unfinishedNames,
} from '../../analysis/template-code.ts';
import type { Draft, Fix } from '../../finding.ts';
import { fixHere, fixIn, placesHere } from '../../finding.ts';
import { FILTERS } from '../../languages/minijinja/builtins.ts';
import { insteadOfFunction, isKnownFunction } from '../../languages/minijinja/instead.ts';
import { nameInstead } from '../../languages/minijinja/other-languages.ts';
import { sharedNames, undefinedInTemplate } from '../../languages/minijinja/scope-model.ts';
import type { NameUse } from '../../languages/minijinja/scopes.ts';
import { insertEntry } from '../../languages/yaml/edit.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import type { SkillTemplate } from '../../skill/artifact-data.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { type UnknownName, unknownConditionNames } from '../../skill/execution/name-problems.ts';
import { visitExecution } from '../../skill/execution/steps.ts';
import { groupBy } from '../../skill/mentions.ts';
import { parameterNames } from '../../skill/parameters.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { acceptsType } from '../../skill/template-types.ts';
import {
  afterBreak,
  contains,
  endOfLine,
  lineBreakOf,
  lineStart,
  type Span,
  shift,
  span,
  touches,
} from '../../text.ts';
import { adviceOnOutputs, removeCondition } from '../data-flow/conditions-without-outputs.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/**
 * Reports a name that is not a parameter, a variable of the template, or a variable that the composer provides, and a
 * field that its value does not have.
 */
export const undefinedVariable: Rule = {
  name: 'undefined-variable',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/composer.md, step 2: an undefined variable is an error' },
  dialects: SKILLS,
  prevents: ['template', 'composition'],
  *check(file, analysis) {
    yield* undefinedFields(analysis, file);
    const parameters = parameterNames(file.contract.input?.schema);
    if (!parameters) return;
    const known = new Set([...parameters, ...AMBIENT_IN_TEMPLATES]);
    const sharedWith = sharedNames(file.templates.map(named));
    const foreignAt = foreignTagFinder(file);
    for (const skillTemplate of file.templates) {
      const { scopes, template } = skillTemplate.source;
      const place = (span: Span) => shift(span, skillTemplate.span.start);
      const isUnfinished = unfinishedNames(template.problems);
      const isShared = sharedWith(named(skillTemplate));
      const missing = undefinedInTemplate(template, scopes, (name) => known.has(name) || isShared(name));
      // `template-syntax` reports a prefix of a string, as in `f"{name}"`.
      const isPrefix = ({ end }: Span): boolean =>
        /["']/.test(template.text[end] ?? '') && template.problems.some(({ span }) => touches(span, end));
      for (const uses of byName(missing.filter(({ span }) => !isUnfinished(span) && !isPrefix(span)))) {
        const local = scopes.variables.filter(({ implicit }) => !implicit).map(({ name }) => name);
        const macro = template.nodes.find((node) => node.kind === 'macro' && node.name.text === uses[0].name);
        const unknown = undefinedName(file, uses, [...parameters, ...local, ...AMBIENT_IN_TEMPLATES], place, {
          moves: macro ? moveUp(file, place(macro.span), skillTemplate.span) : [],
        });
        const foreign = foreignAt(unknown.span);
        // `template-syntax` reports a tag with a syntax error.
        const isBroken = template.problems.some(({ span }) => foreign && touches(foreign.span, place(span).start));
        if (!foreign) yield draftOf(unknown, [...unknown.corrections, ...unknown.declarations]);
        else if (!isBroken) yield inForeignTag(file, unknown, foreign);
      }
    }
    for (const unknown of unknownConditionNames(file)) yield draftInCondition(analysis, file, unknown);
  },
};

const named = ({ artifact, source }: SkillTemplate) => ({ name: artifact.name, scopes: source.scopes });

/** Returns the finding for a name in a tag of another language; a name that is nearly a parameter may be misspelt. */
function inForeignTag(
  file: SkillFile,
  unknown: UndefinedName,
  foreign: ForeignTag & { readonly fixes: readonly Fix[] },
): Draft {
  return foreign.isAmbiguous && unknown.corrections.length > 0
    ? draftOf(unknown, [...unknown.corrections, ...foreign.fixes])
    : { ...draftOf(unknown, foreign.fixes), message: foreignMessage(file.text, foreign) };
}

/** Returns the finding for an unknown name in a condition, which may be the name of an output of an earlier step. */
function draftInCondition(analysis: Analysis, file: SkillFile, unknown: UnknownName): Draft {
  const { place, name, spans, rights, advice, isCall } = unknown;
  const [span, ...further] = spans;
  const outputs = place === 'execution' ? outputsNamed(analysis, file, name, span) : [];
  const other = outputs.length === 0 && !isCall ? nameInstead(name) : undefined;
  const near = other === undefined ? (outputs.length > 0 ? outputs : rights).slice(0, 3) : [other];
  const called =
    isCall && (near.length === 0 || isKnownFunction(name)) ? unknownFunction(file, name, spans) : undefined;
  const fields = file.contract.output?.schema.fields ?? [];
  const isOutput = place !== 'execution' && (/^outputs?$/.test(name) || fields.some((field) => field.name === name));
  const without = isOutput || advice !== undefined ? conditionAt(file, span) : undefined;
  const isDeclarable = other === undefined && !isCall && !isOutput && outputs.length === 0;
  const usual = isOutput ? adviceOnOutputs({ place }) : 'Add it to the inputs.';
  return {
    span,
    message:
      called?.message ??
      (other === undefined ? undefined : withoutName(name, other)) ??
      (isOutput
        ? `This condition can use only inputs, ${/^outputs?$/.test(name) ? 'not outputs' : `and \`${name}\` is an output`}. ${usual}`
        : `Undefined variable \`${name}\`.${didYouMean(near) || ` ${advice ?? usual}`}`),
    related: placesHere(
      file,
      further.map((other) => ({ span: other })),
      `\`${name}\` is also used here`,
    ),
    fixes: [
      ...(called || isOutput ? [] : replaceName(file, spans, near)),
      ...(called?.fixes ?? []),
      ...(without ? removeCondition(file, without) : []),
      ...(isDeclarable ? declareParameter(file, name, spans) : []),
    ],
  };
}

const conditionAt = ({ conditions }: SkillFile, place: Span) =>
  conditions.find(({ scalar }) => contains(scalar.span, place));

const withoutName = (name: string, other: string): string => `MiniJinja has no \`${name}\`. Write \`${other}\`.`;

/** Returns the message about calls of a function that MiniJinja does not have, and the fix of all calls. */
function unknownFunction(
  file: SkillFile,
  name: string,
  calls: readonly Span[],
): { readonly message: string; readonly fixes: readonly Fix[] } {
  const corrections = templateCode(file).flatMap((code) =>
    code.scopes.functions.flatMap((use) => {
      const { start } = code.placeOf(use.span);
      if (use.name !== name || !calls.some((call) => call.start === start)) return [];
      const instead = insteadOfFunction(use, code.sourceOf);
      return instead ? [{ advice: instead.advice, fixes: fixInCode(file, code, instead) }] : [];
    }),
  );
  const [filter] = nearestNames(name, FILTERS.keys());
  const usual = filter === undefined ? 'Pass its result as an input.' : `Use the filter \`${filter}\`.`;
  const fixes = corrections.flatMap((one) => one.fixes.slice(0, 1));
  const edits = fixes.flatMap((fix) => fix.edits.flatMap((one) => one.edits));
  const [first] = fixes;
  const isWhole = first && fixes.length === calls.length && !hasOverlap(edits);
  return {
    message: `Unknown function \`${name}\`. ${corrections[0]?.advice ?? usual}`,
    fixes: isWhole ? fixHere(file, fixes.length === 1 ? first.title : `Replace all calls of \`${name}\``, edits) : [],
  };
}

/** Returns references to the outputs with a given name of the steps that run before a condition. */
function outputsNamed(analysis: Analysis, file: SkillFile, name: string, { start }: Span): readonly string[] {
  const ran = visitExecution(file)?.conditions.find(({ span }) => span.start <= start && start < span.end)?.ran;
  return file.contract.composes.flatMap((entry) => {
    if (!ran?.has(entry.step)) return [];
    const fields = analysis.resolveSide(file, entry.name, 'output')?.contract.output?.schema.fields ?? [];
    return fields.some((field) => field.name === name) ? [`$${entry.step}.output.${name}`] : [];
  });
}

/** Groups uses by name, in the order in which the names are first used. */
const byName = (uses: readonly NameUse[]) => groupBy(uses, ({ name }) => name).values();

/** An undefined name in a template. */
interface UndefinedName extends Required<Pick<Draft, 'span' | 'message' | 'related'>> {
  /** The fixes that keep the inputs: another name, or another position of a macro. */
  readonly corrections: readonly Fix[];
  /** The fixes that add the name to the inputs. */
  readonly declarations: readonly Fix[];
}

const draftOf = ({ span, message, related }: UndefinedName, fixes: readonly Fix[]): Draft => ({
  span,
  message,
  related,
  fixes,
});

function undefinedName(
  file: SkillFile,
  [first, ...others]: readonly [NameUse, ...NameUse[]],
  known: readonly string[],
  place: (span: Span) => Span,
  { moves }: { readonly moves: readonly Fix[] },
): UndefinedName {
  const { name, role } = first;
  const other = known.includes(name) || role === 'call' ? undefined : nameInstead(name);
  const near = other === undefined ? nearestNames(name, new Set(known)) : [other];
  // The variables of `for`, `with` and `macro` are not defined outside of their blocks.
  const why = known.includes(name) ? ': it is set in this template, but not available here' : '';
  const advice = didYouMean(near) || (why ? '' : ' Add it to the inputs.');
  const [span, ...further] = [place(first.span), ...others.map((use) => place(use.span))] as const;
  const isFunction =
    (near.length === 0 || isKnownFunction(name)) &&
    why === '' &&
    /^\s*\(/.test(file.text.slice(span.end, span.end + 20));
  const called = isFunction ? unknownFunction(file, name, [span, ...further]) : undefined;
  // No input can be called.
  const isCalled = isFunction || role === 'call';
  return {
    span,
    message:
      called?.message ??
      (other === undefined ? `Undefined variable \`${name}\`${why}.${advice}` : withoutName(name, other)),
    related: further.map((other) => ({ uri: file.uri, span: other, message: `\`${name}\` is also used here` })),
    corrections: [
      ...(called ? [] : replaceName(file, [span, ...further], near)),
      ...(isCalled ? moves : []),
      ...(called && moves.length === 0 ? called.fixes : []),
    ],
    declarations: isCalled || other !== undefined ? [] : declareParameter(file, name, [span, ...further]),
  };
}

/** Returns the fix that moves a macro to the start of its template. A macro may use names that are set after it. */
function moveUp({ uri, text }: SkillFile, macro: Span, template: Span): readonly Fix[] {
  const lineBreak = lineBreakOf(text);
  const start = lineStart(text, macro.start);
  const end = endOfLine(text, macro.end);
  const isAlone = text.slice(start, macro.start).trim() === '' && text.slice(macro.end, end).trim() === '';
  const removed = isAlone
    ? span(Math.max(start, template.start), Math.min(afterBreak(text, end), template.end))
    : macro;
  if (removed.start === template.start) return [];
  const newText = text.slice(macro.start, macro.end) + lineBreak;
  const edits = [
    { span: span(template.start, template.start), newText },
    { span: removed, newText: '' },
  ];
  return fixIn('Move the macro to the start of the template', [{ uri, edits }]);
}

/**
 * Returns the fix that adds the name to the input schema, if the schema is a map in shorthand. The type is that of the
 * values with which the name is compared, else `string` if all uses accept a string.
 */
function declareParameter(file: SkillFile, name: string, uses: readonly Span[]): readonly Fix[] {
  const entry = findSkillEntry(file.frontmatter.tree.root, 'input_schema');
  if (!entry || file.contract.input?.schema.form === 'json-schema' || !/^[A-Za-z_]\w*$/.test(name)) return [];
  if (entry.value.kind !== 'map') return [];
  const title = `Add \`${name}\` to \`${String(entry.key.value)}\``;
  const compared = new Set(uses.flatMap(({ end }) => typeCompared(file.text.slice(end, end + 40)) ?? []));
  const [type = 'string'] = compared;
  // Each trial checks all templates again.
  const isShort = file.text.length < MAX_TRIED;
  const isFitting = isShort && compared.size < 2 && acceptsType(file, name, type);
  return fixHere(file, title, insertEntry(file.text, entry.value, name, isFitting ? type : 'any'));
}

/** The length of a file, in UTF-16 code units, from which on the type of a new input is not tried. */
const MAX_TRIED = 20_000;

/** Returns the type of the literal with which a name is compared; `after` is the text after the name. */
function typeCompared(after: string): 'number' | 'boolean' | 'string' | undefined {
  const [, number, truth, quote] = /^\s*(?:[=!]=|[<>]=?)\s*(?:(-?\d)|(true|false)\b|(["']))/i.exec(after) ?? [];
  if (number !== undefined) return 'number';
  if (truth !== undefined) return 'boolean';
  return quote === undefined ? undefined : 'string';
}

/** Reports the fields that no value has. The template fails there, except where the engine accepts undefined values. */
function* undefinedFields(analysis: Analysis, file: SkillFile): Iterable<Draft> {
  for (const { kind, place, message, isCertain, fileFixes } of typeProblems(analysis, file).flat()) {
    if (kind !== 'undefined-field') continue;
    yield { span: place, message, fixes: fileFixes, ...(isCertain ? {} : { severity: 'warning' }) };
  }
}
