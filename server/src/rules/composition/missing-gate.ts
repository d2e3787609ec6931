/** Reports gates of composed skills that a composite lacks (docs/format.md, section 4, "Gates"). */
import type { Analysis } from '../../analysis/analysis.ts';
import { nameOf, placeIn, reachedSkills, resolvedSkill } from '../../analysis/composed-skills.ts';
import { declareIn } from '../../analysis/name-fixes.ts';
import { removeAllFromList } from '../../analysis/removals.ts';
import type { Draft, RelatedLocation } from '../../finding.ts';
import { formatJson } from '../../languages/yaml/edit.ts';
import { inWords, listed } from '../../nearest.ts';
import { allowsContext, capabilityText } from '../../permissions/may-use.ts';
import type { Capability, Named, SkillContract } from '../../skill/contract.ts';
import { addKey } from '../../skill/insert-key.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { SkillSummary } from '../../skill/summary.ts';
import { shareOn } from '../../workspace/resolve-skill.ts';
import { ResolvedGraph } from '../../workspace/resolved-graph.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

export const missingGate: Rule = {
  name: 'missing-gate',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Gates"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    const parts = reachedSkills(analysis, file);
    if (parts.length === 0) return;
    yield* checkCapabilities(analysis, file, parts);
    for (const limit of LIMITS) yield* checkLimit(analysis, file, parts, limit);
    yield* checkSurfaces(analysis, file, parts);
  },
};

/** A skill that a run may reach, with the entry of `composes` that brings it. */
interface Part {
  readonly skill: IndexedSkill;
  readonly named: Named;
}

/** Reports each capability that a part requires and the composite does not, at the first entry that brings it. */
function* checkCapabilities(analysis: Analysis, file: SkillFile, parts: readonly Part[]): Iterable<Draft> {
  const own = new Set(file.contract.capabilitiesRequired.map(keyOf));
  let tier = file.contract.capabilitiesRequired.find(isTier)?.value;
  for (const { skill, named } of parts) {
    for (const required of skill.summary.capabilitiesRequired) {
      // Every caller has the tier `any`.
      if (own.has(keyOf(required)) || (required.kind === 'tier' && !isTier(required))) continue;
      own.add(keyOf(required));
      const text = capabilityText(required);
      const related = placeIn(
        analysis,
        skill,
        ({ capabilitiesRequired }) => capabilitiesRequired.find((one) => keyOf(one) === keyOf(required)),
        `\`${nameOf(skill)}\` requires the ${text}`,
      );
      const { name, span } = named;
      if (isTier(required) && tier !== undefined) {
        const message = `\`${name}\` requires the ${text}, but this skill needs the tier \`${tier}\`, and a caller has only one tier. Compose another skill.`;
        yield { span, message, related };
        continue;
      }
      if (isTier(required)) tier = required.value;
      yield {
        span,
        message: `\`${name}\` requires the ${text}, but this skill does not. Add it to \`capabilities_required\`.`,
        related,
        fixes: declareIn(
          file,
          'capabilities_required',
          formatJson({ [required.kind]: required.value }),
          `Require the ${text}`,
        ),
      };
    }
  }
}

/** Returns whether a capability is a tier that not every caller has. */
const isTier = ({ kind, value }: Capability): boolean => kind === 'tier' && value !== 'any';

const keyOf = ({ kind, value }: Capability): string => `${kind} ${value}`;

/** A list of alternatives that limits the use of a skill; an empty list allows all. */
interface Limit {
  readonly key: 'allowed_roles' | 'allowed_contexts';
  readonly noun: string;
  readonly of: (summary: SkillSummary) => readonly string[];
  readonly entriesOf: (contract: SkillContract) => readonly Named[];
  /** Returns whether a list limits the use. */
  readonly limits: (list: readonly string[]) => boolean;
  /** Returns whether all values are known. Unknown values are reported in the file that lists them. */
  readonly isKnown: (analysis: Analysis, skill: IndexedSkill) => boolean;
  readonly allows: (list: readonly string[], value: string) => boolean;
}

const LIMITS: readonly Limit[] = [
  {
    key: 'allowed_roles',
    noun: 'role',
    of: ({ allowedRoles }) => allowedRoles,
    entriesOf: ({ allowedRoles }) => allowedRoles,
    limits: (list) => list.length > 0,
    isKnown: (analysis, { uri, summary }) => {
      const { roles } = analysis.parsedCatalogOf(uri);
      return summary.allowedRoles.every((role) => roles?.has(role) !== false);
    },
    allows: (list, role) => list.includes(role),
  },
  {
    key: 'allowed_contexts',
    noun: 'context',
    of: ({ allowedContexts }) => allowedContexts,
    entriesOf: ({ allowedContexts }) => allowedContexts,
    limits: (list) => list.length > 0 && !CONTEXTS.every((one) => allowsContext(list, one)),
    isKnown: (_, { summary }) => summary.allowedContexts.every((one) => CONTEXTS.includes(one)),
    allows: allowsContext,
  },
];

const CONTEXTS: readonly string[] = ['channel', 'workspace', 'scheduled', 'autonomous'];

/** Reports a list of alternatives that is missing, or wider than that of a part. */
function* checkLimit(
  analysis: Analysis,
  file: SkillFile,
  parts: readonly Part[],
  { key, noun, of, entriesOf, limits, isKnown, allows }: Limit,
): Iterable<Draft> {
  const own = entriesOf(file.contract).map(({ name }) => name);
  const limited = parts.filter(({ skill }) => limits(of(skill.summary)) && isKnown(analysis, skill));
  const allowedBy = ({ skill }: Part, value: string): boolean => allows(of(skill.summary), value);
  const asked = own.length > 0 ? own : [...new Set(limited.flatMap(({ skill }) => of(skill.summary)))];
  const kept = asked.filter((value) => limited.every((part) => allowedBy(part, value)));
  const narrowing = limited.filter((part) => own.length === 0 || !asked.every((value) => allowedBy(part, value)));
  const [first] = narrowing;
  if (!first) return;
  const allowed = (part: Part): string => inWords(of(part.skill.summary), 'or');
  const related = narrowing.flatMap((part) =>
    placesOf(analysis, part, entriesOf, `\`${nameOf(part.skill)}\` allows only ${allowed(part)}`),
  );
  if (kept.length === 0) {
    // The first part that leaves no value, and a part or this skill with which it has no value in common.
    const isLeft = (at: number): boolean =>
      asked.some((value) => limited.slice(0, at + 1).every((part) => allowedBy(part, value)));
    const last = limited.find((_, at) => !isLeft(at)) ?? first;
    const isOwn = own.length > 0 && !own.some((value) => allowedBy(last, value));
    const other = limited.find((part) => !of(part.skill.summary).some((value) => allowedBy(last, value)));
    const against = isOwn
      ? `this skill allows only ${inWords(own, 'or')}`
      : other
        ? `\`${other.named.name}\` allows only ${allowed(other)}`
        : 'the other composed skills allow others';
    const message = `No ${noun} may use this skill: \`${last.named.name}\` allows only ${allowed(last)}, and ${against}. Allow a common ${noun}, or compose another skill.`;
    yield { span: last.named.span, message, related };
    return;
  }
  const { name, span } = first.named;
  if (own.length === 0) {
    const value = formatJson(kept);
    yield {
      span,
      message: `\`${name}\` allows only the ${noun} ${allowed(first)}, but this skill allows every ${noun}. Add \`${key}: ${value}\`.`,
      related,
      fixes: addKey(file, key, value),
    };
    return;
  }
  const refused = own.filter((value) => !kept.includes(value));
  yield {
    span,
    message: `\`${name}\` does not allow the ${noun} ${inWords(refused, 'or')}, so this skill cannot allow ${refused.length > 1 ? 'them' : 'it'} either. Remove ${refused.length > 1 ? 'them' : 'it'} from \`${key}\`.`,
    related,
    fixes: removeAllFromList(
      file,
      key,
      entriesOf(file.contract).filter((entry) => refused.includes(entry.name)),
      `Remove ${listed(refused.map((one) => `\`${one}\``))} from \`${key}\``,
    ),
  };
}

/** Returns the first entry of a list in the file of a part. */
const placesOf = (
  analysis: Analysis,
  { skill }: Part,
  entriesOf: (contract: SkillContract) => readonly Named[],
  message: string,
): readonly RelatedLocation[] => placeIn(analysis, skill, (contract) => entriesOf(contract)[0], message);

/** The largest number of surfaces for which the names in a closure are resolved. */
const MAX_SURFACES = 50;

/** Reports a composite on a surface that one of its parts is not on. */
function* checkSurfaces(analysis: Analysis, file: SkillFile, parts: readonly Part[]): Iterable<Draft> {
  const root = resolvedSkill(analysis, file);
  if (!root || parts.every(({ skill }) => skill.summary.surfaces.length === 0)) return;
  const own = file.contract.surfaces.map(({ name }) => name);
  const { surfaces: known } = analysis.parsedCatalogOf(file.uri);
  const named = parts.flatMap(({ skill }) => skill.summary.surfaces.map(({ name }) => name));
  const asked = [...new Set(own.length > 0 ? own : (known?.keys() ?? named))].slice(0, MAX_SURFACES);
  const missing = new Map(asked.map((surface) => [surface, missingOn(analysis, root, surface)]));
  const kept = asked.filter((surface) => !missing.get(surface));
  // Without a list of surfaces, there may be others.
  const elsewhere = own.length === 0 && !known ? missingOn(analysis, root, '') : undefined;
  const away = [...missing].find(([, skill]) => skill)?.[1] ?? elsewhere;
  const entry = away && parts.find(({ skill }) => skill.summary.name === away.summary.name)?.named;
  if (!entry) return;
  const { name, span } = entry;
  const related = placesOf(
    analysis,
    { skill: away, named: entry },
    ({ surfaces }) => surfaces,
    `The surfaces of \`${nameOf(away)}\``,
  );
  if (kept.length === 0) {
    const lacks = (skill: IndexedSkill): string => {
      const where = asked.filter((surface) => missing.get(surface) === skill);
      return `\`${nameOf(skill)}\` is not offered on ${inWords(where, 'or')}`;
    };
    const all = [...new Set(missing.values())].flatMap((skill) => skill ?? []).slice(0, 2);
    yield {
      span,
      message: `No surface offers this skill: ${listed(all.map(lacks))}. Offer its parts on a common surface.`,
      related,
    };
  } else if (own.length === 0) {
    const value = formatJson(kept);
    yield {
      span,
      message: `\`${name}\` is not offered on every surface, but this skill is. Add \`surfaces: ${value}\`.`,
      related,
      fixes: addKey(file, 'surfaces', value),
    };
  } else {
    const refused = own.filter((surface) => missing.get(surface));
    yield {
      span,
      message: `\`${name}\` is not offered on ${inWords(refused, 'or')}, so this skill cannot be offered there either. Remove ${refused.length > 1 ? 'them' : 'it'} from \`surfaces\`.`,
      related,
      fixes: removeAllFromList(
        file,
        'surfaces',
        file.contract.surfaces.filter((one) => refused.includes(one.name)),
        `Remove ${listed(refused.map((one) => `\`${one}\``))} from \`surfaces\``,
      ),
    };
  }
}

/** Returns the first composed skill that a surface does not offer, with the names as they are resolved there. */
function missingOn(analysis: Analysis, root: IndexedSkill, surface: string): IndexedSkill | undefined {
  const graph = new ResolvedGraph({ ...analysis.graph, surface });
  return graph.closureOf(root).find((skill) => shareOn(skill, surface) === 0);
}
