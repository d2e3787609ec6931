/** Rules about names that the catalog does not list. */
import type { Analysis } from '../../analysis/analysis.ts';
import { addToCatalog, replaceName } from '../../analysis/name-fixes.ts';
import { removeFromList } from '../../analysis/removals.ts';
import type { Draft } from '../../finding.ts';
import { placesHere } from '../../finding.ts';
import { findValue, listItems, mapEntries, type YamlNode } from '../../languages/yaml/node.ts';
import { didYouMean, inWords, nearestNames } from '../../nearest.ts';
import { type Named, namedOf, namesOf } from '../../skill/contract.ts';
import { groupBy, modelsNamedIn } from '../../skill/mentions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { newScope } from '../../vocabulary/common-shapes.ts';
import { KNOWN_EFFECTS } from '../../vocabulary/known-names.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** Reports a surface that is not in the catalog's `surfaces`, if the catalog has that list. */
export const unknownSurface: Rule = {
  name: 'unknown-surface',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 2 and 6' },
  dialects: SKILLS,
  *check(file, analysis) {
    const scopes = findValue(findValue(file.frontmatter.tree.root, 'policy'), 'idempotency_scope');
    const scoped = mapEntries(scopes).flatMap(({ key }) => namedOf(key) ?? []);
    yield* undeclaredInCatalog(analysis, file, 'surface', [...file.contract.surfaces, ...scoped]);
  },
};

/**
 * Reports a channel that a sample or a permission uses but that is not in the catalog's `channels`, if the catalog has
 * that list.
 */
export const unknownChannel: Rule = {
  name: 'unknown-channel',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 2 and 6' },
  dialects: ['composer', 'contract', 'catalog'],
  readsTests: true,
  *check(file, analysis) {
    const used = file.dialect === 'catalog' ? channelsOfPermissions(file) : channelsOfSamples(file);
    yield* undeclaredInCatalog(analysis, file, 'channel', used);
  },
};

const channelsOfSamples = ({ contract }: SkillFile): readonly Named[] =>
  contract.samples.flatMap(({ value }) => namedOf(findValue(value, 'channel')) ?? []);

function channelsOfPermissions({ frontmatter }: SkillFile): readonly Named[] {
  const { root } = frontmatter.tree;
  const channels = (permission: YamlNode | undefined) => namesOf(findValue(permission, 'channels'));
  return [
    ...mapEntries(findValue(root, 'permissions')).flatMap(({ value }) => channels(value)),
    ...channels(findValue(root, 'permissions_default')),
  ];
}

/** Reports a model that is not in the catalog's `models`, if the catalog has that list. */
export const unknownModel: Rule = {
  name: 'unknown-model',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6' },
  dialects: SKILLS,
  readsTests: true,
  *check(file, analysis) {
    const { models } = analysis.parsedCatalogOf(file.uri);
    if (!models) return;
    for (const model of modelsNamedIn(file)) {
      if (!models.has(model.name)) yield modelDraft(analysis, file, model, [...models.keys()]);
    }
  },
};

function modelDraft(analysis: Analysis, file: SkillFile, { name, span }: Named, known: readonly string[]): Draft {
  const near = nearestNames(name, known);
  const catalog = analysis.catalogOf(file.uri);
  return {
    span,
    message: `Unknown model \`${name}\`.${didYouMean(near) || ' Add it to `models` in the catalog.'}`,
    fixes: [
      ...replaceName(file, [span], near),
      ...addToCatalog(analysis, catalog, 'models', name, `Add \`${name}\` to the catalog's \`models\``),
    ],
  };
}

/** Reports a scope that is not in the catalog's `scopes`, if the catalog has that list. */
export const unknownScope: Rule = {
  name: 'unknown-scope',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 2 and 6' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file, analysis) {
    const { scopes } = analysis.parsedCatalogOf(file.uri);
    if (!scopes) return;
    const used = file.dialect === 'catalog' ? scopesOfCatalog(file) : file.contract.requiredScopes;
    // `invalid-value` reports a string that is not a scope.
    const unknown = used.filter(({ name }) => newScope.pattern.test(name) && !scopes.has(name));
    for (const scope of unknown) yield scopeDraft(analysis, file, scope, [...scopes.keys()]);
  },
};

function scopeDraft(analysis: Analysis, file: SkillFile, scope: Named, known: readonly string[]): Draft {
  const near = nearestNames(scope.name, known);
  const catalog = analysis.catalogOf(file.uri);
  return {
    span: scope.span,
    message: `Unknown scope \`${scope.name}\`.${didYouMean(near) || ' Add it to `scopes` in the catalog.'}`,
    fixes: [
      ...replaceName(file, [scope.span], near),
      ...addToCatalog(analysis, catalog, 'scopes', scope.name, `Add \`${scope.name}\` to the catalog's \`scopes\``),
      ...removeFromList(file, 'required_scopes', scope.span, `Remove \`${scope.name}\``),
    ],
  };
}

/** Returns the scopes that are named in the roles, tools and profiles of a catalog. */
function scopesOfCatalog({ frontmatter }: SkillFile): readonly Named[] {
  const { root } = frontmatter.tree;
  const items = (key: string) => listItems(findValue(root, key));
  return [
    ...items('tools').flatMap((tool) => namesOf(findValue(tool, 'scope') ?? findValue(tool, 'scopes'))),
    ...mapEntries(findValue(root, 'roles')).flatMap(({ value }) => namesOf(value)),
    ...items('profiles').flatMap((profile) => namesOf(findValue(profile, 'scopes'))),
  ];
}

/**
 * Reports, once for each name, an effect that a skill or a tool declares but neither the format nor the catalog
 * defines.
 */
export const unknownEffect: Rule = {
  name: 'unknown-effect',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 2 and 6' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file, analysis) {
    const { effects, isBroken } = analysis.catalogOf(file.uri);
    // A catalog that does not parse may declare the effect.
    if (isBroken) return;
    const used = file.dialect === 'catalog' ? effectsOfTools(file) : file.contract.effects;
    for (const [name, [first, ...others]] of groupBy(used, (effect) => effect.name)) {
      if (!effects.has(name)) yield effectDraft(analysis, file, first, others);
    }
  },
};

function effectDraft(analysis: Analysis, file: SkillFile, first: Named, others: readonly Named[]): Draft {
  const { name } = first;
  const catalog = analysis.catalogOf(file.uri);
  const near = nearestNames(name, catalog.effects.keys());
  const places = [first, ...others].map(({ span }) => span);
  const advice =
    didYouMean(near) ||
    ` Use ${inWords([...KNOWN_EFFECTS.keys()], 'or')}, or add your own effect to \`effects\` in the catalog.`;
  return {
    span: first.span,
    message: `Unknown effect \`${name}\`.${advice}`,
    related: placesHere(file, others, `\`${name}\` is also used here`),
    fixes: [
      ...replaceName(file, places, near),
      ...addToCatalog(analysis, catalog, 'effects', name, `Add \`${name}\` to the catalog's \`effects\``),
      ...removeFromList(file, 'effects', first.span, `Remove \`${name}\` from \`effects\``),
    ],
  };
}

const effectsOfTools = ({ frontmatter }: SkillFile): readonly Named[] =>
  listItems(findValue(frontmatter.tree.root, 'tools')).flatMap((tool) => namesOf(findValue(tool, 'effects')));

/**
 * Reports each name that is not in the catalog's list of surfaces or channels, once for each name. Reports nothing if
 * the catalog has no such list.
 */
function* undeclaredInCatalog(
  analysis: Analysis,
  file: SkillFile,
  noun: 'surface' | 'channel',
  used: readonly Named[],
): Iterable<Draft> {
  const catalog = analysis.parsedCatalogOf(file.uri);
  const key = `${noun}s` as const;
  const known = catalog[key];
  if (!known) return;
  for (const [name, [first, ...others]] of groupBy(used, (one) => one.name)) {
    if (known.has(name)) continue;
    const near = nearestNames(name, known.keys());
    const places = [first, ...others].map(({ span }) => span);
    yield {
      span: first.span,
      message: `Unknown ${noun} \`${name}\`.${didYouMean(near) || ` Add it to \`${key}\` in the catalog.`}`,
      related: placesHere(file, others, `\`${name}\` is also used here`),
      fixes: [
        ...replaceName(file, places, near),
        ...addToCatalog(analysis, catalog, key, name, `Add \`${name}\` to the catalog's \`${key}\``),
      ],
    };
  }
}
