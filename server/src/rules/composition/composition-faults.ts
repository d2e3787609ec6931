/**
 * The errors of `check` for which the composer refuses a skill (docs/composer.md, step 1): errors in `composes` and
 * `execution`, and errors in a composed skill that no invocation avoids.
 */
import type { Analysis } from '../../analysis/analysis.ts';
import { ownPackageOf } from '../../analysis/package-of.ts';
import { chooseFraming, framingParts } from '../../composer/find-framing.ts';
import { firstErrorOfComposedSkill } from '../../composer/validate.ts';
import type { Draft } from '../../finding.ts';
import type { Node } from '../../languages/minijinja/ast.ts';
import type { SkillTemplate } from '../../skill/artifact-data.ts';
import { inFile } from '../../skill/conditions.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { PackageFault, SkillPackage } from '../../skill/package.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span, shift, sliceOf } from '../../text.ts';
import type { FindingEffect, Rule } from '../engine/rule.ts';

/** The largest number of faults of each rule. */
const MAX_FAULTS = 50;

/**
 * Returns the errors of a file in `composes`, `execution` and the `when` of interrupts, and those about outputs that the
 * flow does not give, with which no run is possible.
 */
export function compositionFaults(
  analysis: Analysis,
  file: SkillFile,
  table: readonly Rule[],
): readonly PackageFault[] {
  const { root } = file.frontmatter.tree;
  const entries = (keys: readonly string[]) => keys.flatMap((key) => findSkillEntry(root, key)?.span ?? []);
  const conditions = file.contract.interrupts.flatMap(({ when }) => when?.span ?? []);
  const errorsIn = (places: readonly Span[], effect: FindingEffect): readonly PackageFault[] =>
    places.length === 0
      ? []
      : errorsOf(analysis, file, table, [effect]).filter(({ span }) => places.some((place) => contains(place, span)));
  const outputs = file.contract.composes.length === 0 ? [] : entries(['output_schema']);
  return [
    ...errorsIn([...entries(['composes', 'execution']), ...conditions], 'composition'),
    ...errorsIn(outputs, 'output'),
  ];
}

/**
 * Returns the errors because of which no invocation of a composed skill can succeed: errors in `composes` and
 * `execution`, and errors in the part of its framing that is always rendered.
 */
export const faultsOfComposedSkill = (
  analysis: Analysis,
  file: SkillFile,
  table: readonly Rule[],
): readonly PackageFault[] => knownOf(analysis, file, table).faults;

/**
 * Returns the first error because of which no invocation of the composed skill at `uri` can succeed; undefined if there
 * is none. Parses the file at most once for each analysis, because a composed skill may have thousands of callers.
 */
export const firstFaultOfComposedSkill = (
  analysis: Analysis,
  uri: string,
  table: readonly Rule[],
): Pick<PackageFault, 'span' | 'message'> | undefined =>
  analysis.keep(firstFaultOfComposedSkill, uri, (file) => knownOf(analysis, file, table).first);

/** The faults of a file, and the data from which they were computed. */
interface Known {
  readonly from: readonly unknown[];
  readonly faults: readonly PackageFault[];
  readonly first: Pick<PackageFault, 'span' | 'message'> | undefined;
}

const newCache = (): { known?: Known } => ({});

function knownOf(analysis: Analysis, file: SkillFile, table: readonly Rule[]): Known {
  const cache = file.derive(newCache);
  const { graph, partial, index } = analysis;
  const from = [graph, analysis.findCatalog(file.uri), partial, index.facts.unreadable];
  if (cache.known && from.every((one, at) => one === cache.known?.from[at])) return cache.known;
  const faults = [...compositionFaults(analysis, file, table), ...templateFaults(analysis, file, table)];
  cache.known = { from, faults, first: firstError({ ...ownPackageOf(analysis, file), faults }) };
  return cache.known;
}

/** Returns the error of every invocation, with any model. */
function firstError(skillPackage: SkillPackage): Known['first'] {
  const models = new Set([undefined, ...skillPackage.artifacts.map(({ modelVariant }) => modelVariant)]);
  const errors = [...models].map((model) =>
    firstErrorOfComposedSkill(skillPackage, model === undefined ? [] : [model]),
  );
  return errors.includes(undefined) ? undefined : errors[0];
}

function errorsOf(
  analysis: Analysis,
  file: SkillFile,
  table: readonly Rule[],
  effects: readonly FindingEffect[],
): readonly PackageFault[] {
  const isFitting = ({ prevents, dialects }: Rule): boolean =>
    dialects.includes(file.dialect) && (prevents?.some((effect) => effects.includes(effect)) ?? false);
  return table.filter(isFitting).flatMap((rule) => {
    const found: PackageFault[] = [];
    for (const draft of rule.check(file, analysis, table)) {
      if ((draft.severity ?? rule.severity) !== 'error') continue;
      found.push(faultOf(file, rule, draft));
      if (found.length >= MAX_FAULTS) break;
    }
    return found;
  });
}

/** The rules about fields and keys that are missing. */
const ABOUT_MISSING: readonly string[] = ['missing-required-field', 'missing-key'];

function faultOf({ text }: SkillFile, { name, prevents }: Rule, { span, message }: Draft): PackageFault {
  // The first sentence says what is wrong. A period in a code span does not end a sentence.
  const [first = message] = /^(?:`[^`]*`|[^`])*?[.!?](?= |$)/.exec(message) ?? [];
  // The advice on an unknown skill may name files outside of the closure, on which errors must not depend.
  const advice = name === 'skill-not-found' ? 'Create it, or correct its name.' : message.slice(first.length).trim();
  return {
    kind: prevents?.some((effect) => effect !== 'composition' && effect !== 'output')
      ? 'MalformedTemplate'
      : ABOUT_MISSING.includes(name)
        ? 'MissingRequiredField'
        : 'InvalidComposition',
    span,
    subject: sliceOf(text, span).split('\n', 1)[0] ?? '',
    message: first,
    suggestion: advice === '' ? 'Correct it.' : advice,
  };
}

// Errors in the templates of a composed skill, whose inputs are known only at run time.

function templateFaults(analysis: Analysis, file: SkillFile, table: readonly Rule[]): readonly PackageFault[] {
  const templates = certainTemplates(file);
  const conditions = file.conditions.filter(
    ({ place, artifact }) => place === 'include_when' && artifact?.kind === 'Description',
  );
  const broken = templates.length > 0 ? errorsOf(analysis, file, table, ['all-templates']) : [];
  if (templates.length === 0 && conditions.length === 0) return broken;
  const isCertain = ({ span }: PackageFault): boolean =>
    templates.some((template) => isAlwaysRendered(file, template, span)) ||
    conditions.some((condition) => contains(inFile(file.text, condition, condition.expression.span), span));
  return [...broken, ...errorsOf(analysis, file, table, ['template']).filter(isCertain)];
}

/** Returns the template of the framing, and the templates that it always includes. */
function certainTemplates(file: SkillFile): readonly SkillTemplate[] {
  const framing = file.templates.length === 0 ? undefined : chooseFraming(framingParts(file));
  if (typeof framing !== 'object') return [];
  const names = new Set([framing.template]);
  const found: SkillTemplate[] = [];
  // The loop also visits names that are added during the loop.
  for (const name of names) {
    const [template, variant] = file.templates.filter(({ artifact }) => artifact.name === name);
    // The variant depends on the model.
    if (!template || variant) continue;
    found.push(template);
    for (const { names: included, dynamic, ignoreMissing } of template.source.scopes.references) {
      const [only, other] = included;
      if (!only || other || dynamic || ignoreMissing) continue;
      if (isAlwaysRendered(file, template, shift(only.span, template.span.start))) names.add(only.name);
    }
  }
  return found;
}

/** Returns whether a span in the file is in code that every rendering of a template evaluates. */
function isAlwaysRendered({ text }: SkillFile, { source, span: place }: SkillTemplate, span: Span): boolean {
  if (!contains(place, span)) return false;
  const node = source.template.nodes.find((one) => contains(shift(one.span, place.start), span));
  const code = node && evaluatedCode(node);
  if (!code) return false;
  const whole = shift(code, place.start);
  // These operators may skip an operand.
  return contains(whole, span) && !/\b(?:if|and|or)\b/.test(sliceOf(text, whole).replace(/^\{%-?\s*if\b/, ''));
}

/** Returns the span in a node outside of all blocks that is always evaluated. */
function evaluatedCode(node: Node): Span | undefined {
  switch (node.kind) {
    case 'output':
    case 'set':
    case 'include':
    case 'import':
    case 'from-import':
      return node.span;
    case 'if':
      return node.branches[0]?.condition.span;
    case 'for':
      return node.iterable.span;
    default:
      return undefined;
  }
}
