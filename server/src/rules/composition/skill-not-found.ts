import type { Analysis } from '../../analysis/analysis.ts';
import { isRootOfClaude } from '../../analysis/client-tools.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import { removeComposedSkill, removeMentions } from '../../analysis/removals.ts';
import type { Draft, Fix } from '../../finding.ts';
import { placesHere } from '../../finding.ts';
import { closestName, didYouMean, nearestNames } from '../../nearest.ts';
import { stepNames } from '../../skill/execution/steps.ts';
import { isName } from '../../skill/kebab-name.ts';
import { byName, groupBy, type Mention, namedSkills } from '../../skill/mentions.ts';
import { pluginSpanOf } from '../../skill/plain-references.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, sliceOf } from '../../text.ts';
import { clientFileOf, nameFromUri } from '../../vocabulary/dialect.ts';
import { skillMentions } from '../../workspace/skill-mentions.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/**
 * Reports a skill that no file in the workspace defines. Each name is reported once, at its entry in `composes` or else
 * at its first mention. In the text of a `SKILL.md`, the rule reports only names that are clearly misspelt.
 */
export const skillNotFound: Rule = {
  name: 'skill-not-found',
  number: 'E004',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: [...SKILLS, 'agent-skill', 'client-file'],
  about: 'composition',
  prevents: ['composition'],
  *check(file, analysis) {
    if (analysis.partial) return;
    if (file.dialect === 'agent-skill') return yield* misspeltInWords(file, analysis);
    const own = clientFileOf(file.uri);
    if (file.dialect === 'client-file') {
      if (!own || isRootOfClaude(analysis, own.root)) yield* misspeltInWords(file, analysis);
      return;
    }
    // `invalid-value` reports a number or another value that is not a name.
    const invalid = new Set(file.problems.filter(({ kind }) => kind === 'value').map(({ span }) => span.start));
    for (const [name, [first, ...others]] of byName(namedSkills(file))) {
      if (analysis.isSkillName(name) || analysis.mayBeUnreadable(name) || invalid.has(first.span.start)) continue;
      const places = [...[first, ...others].map(({ nameSpan }) => nameSpan), ...stepsNamedAfter(file, name)];
      const [named] = analysis.skillsNamed(name, file.uri);
      if (named) {
        if (named.summary.name !== undefined) yield idInsteadOfName(file, name, named.summary.name, places);
        continue;
      }
      const plain = /^([^@\s]+)@/.exec(name)?.[1] ?? '';
      const isVersioned = analysis.isSkillName(plain);
      const near = isVersioned ? [plain] : nearestNames(name, analysis.graph.names);
      const advice = isVersioned
        ? ` Write \`${plain}\` here, and its version range under \`requires\`.`
        : didYouMean(near);
      yield {
        span: first.span,
        message: `Unknown skill \`${name}\`.${advice || ' Create it, or remove its name here.'}`,
        related: placesHere(file, others, `\`${name}\` is also used here`),
        fixes: [
          ...replaceName(file, places, near),
          ...creation(file, name),
          // Without the first use, the finding would move to the next one.
          ...(others.length === 0 ? removal(file, name, first) : []),
        ],
      };
    }
  },
};

/** Returns the fix that removes the only use of a name: a reference, or an entry of `composes` with its steps. */
function removal(file: SkillFile, name: string, use: Mention): readonly Fix[] {
  if (use.isReference) return removeMentions(file, [use]);
  const entry = file.contract.composes.find((one) => one.name === name);
  return entry ? removeComposedSkill(file, entry, `Remove \`${name}\` from \`composes\``) : [];
}

/** Returns the uses of a step that has the name of its skill, which change together with the name of the skill. */
const stepsNamedAfter = (file: SkillFile, name: string): readonly Span[] =>
  file.contract.composes.some((entry) => entry.name === name && !entry.as) ? stepNames(file, name) : [];

/** Returns the finding about a skill that is called by its `id`, although it has a name. */
const idInsteadOfName = (file: SkillFile, id: string, name: string, places: readonly Span[]): Draft => ({
  span: places[0] ?? { start: 0, end: 0 },
  severity: 'hint',
  message: `\`${id}\` is the \`id\` of the skill \`${name}\`. Use its name.`,
  related: placesHere(
    file,
    places.slice(1).map((span) => ({ span })),
    `\`${id}\` is also used here`,
  ),
  fixes: replaceName(file, places, [name]),
});

/**
 * Returns a fix that creates the skill. The location of the new file depends on other files, so it is computed when the
 * fix is applied.
 */
const creation = (file: SkillFile, name: string): Fix[] =>
  isName(name) && !file.uri.startsWith('untitled:')
    ? [{ title: `Create \`${name}\``, safe: false, edits: [], creates: name }]
    : [];

/** The largest number of names in one file that are compared with the names of all skills. */
const MAX_NAMES = 500;

/** Reports names in the text of a `SKILL.md`, and in the list `skills` of an agent, that are clearly misspelt. */
function* misspeltInWords(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const namesOfPlugins = new Map<string, readonly string[] | undefined>();
  const namesIn: NamesInPlugin = (plugin) => {
    if (!namesOfPlugins.has(plugin)) namesOfPlugins.set(plugin, namesOfPlugin(analysis, plugin));
    return namesOfPlugins.get(plugin);
  };
  const named = groupBy(namesInWords(file), ({ plugin, name }) => `${plugin?.name}:${name}`);
  for (const [first, ...others] of [...named.values()].slice(0, MAX_NAMES)) {
    const { name, plugin } = first;
    const meant = plugin ? findMeantInPlugin(analysis, namesIn, plugin.name, name) : findMeantSkill(analysis, first);
    if (meant === undefined) {
      const isOwn = plugin && isOfOwnPlugin(analysis, file, plugin.name, first.form);
      if (isOwn && namesIn(plugin.name)?.includes(name) === false) yield missingInPlugin(plugin.name, first);
      continue;
    }
    const isOfPlugin = plugin && 'plugin' in meant;
    const places = [first, ...others].map((one) => (isOfPlugin ? one.plugin?.span : one.nameSpan) ?? one.nameSpan);
    const written = plugin ? `${plugin.name}:${name}` : name;
    const right = isOfPlugin ? meant.plugin : meant.name;
    yield {
      span: first.span,
      // The skill may be installed elsewhere.
      severity: 'hint',
      message: `Unknown skill \`${written}\`.${didYouMean([plugin ? `${meant.plugin ?? plugin.name}:${meant.name}` : meant.name])}`,
      related: placesHere(file, others, `\`${written}\` is also used here`),
      fixes: replaceName(file, places, [right]),
    };
  }
}

/** Returns whether a file belongs to a plugin whose skill it names. A command may also name a workflow of the plugin. */
function isOfOwnPlugin({ plugins }: Analysis, { uri }: SkillFile, plugin: string, form: NameInWords['form']): boolean {
  const root = clientFileOf(uri)?.root;
  const own = [...plugins.shipping(uri), ...plugins.all.filter((one) => one.root === root)];
  return form !== 'command' && own.some((one) => one.name === plugin);
}

const missingInPlugin = (plugin: string, { name, span }: NameInWords): Draft => ({
  span,
  severity: 'hint',
  message: `The plugin \`${plugin}\` has no skill \`${name}\`. Correct the name, or add the skill.`,
});

/** Returns the names of a plugin's skills, agents and commands; undefined for an unknown plugin. */
type NamesInPlugin = (plugin: string) => readonly string[] | undefined;

interface NameInWords {
  readonly name: string;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly plugin: { readonly name: string; readonly span: Span } | undefined;
  readonly form: 'command' | 'words' | 'list';
}

/** Returns the names of skills in a file in forms that are always names of skills; links are checked by another rule. */
const namesInWords = (file: SkillFile): readonly NameInWords[] =>
  skillMentions(file).flatMap((reference): NameInWords | [] => {
    const { form, name, span, nameSpan } = reference;
    const isVariable = form === 'command' && !sliceOf(file.text, span).startsWith('/');
    if ((form !== 'command' && form !== 'words' && form !== 'list') || isVariable) return [];
    const place = pluginSpanOf(file.text, reference);
    return { name, span, nameSpan, form, plugin: place && { name: sliceOf(file.text, place), span: place } };
  });

interface MeantSkill {
  readonly name: string;
  /** The right name of the plugin, if it is misspelt. */
  readonly plugin?: string;
}

/** Returns the skill of the workspace that a name misspells; undefined for the name of a skill, an agent or a command. */
function findMeantSkill(analysis: Analysis, { name, form }: NameInWords): MeantSkill | undefined {
  if (analysis.isSkillName(name) || analysis.agentSkills.isNamed(name) || analysis.mayBeUnreadable(name))
    return undefined;
  // A single word is often another word, or a command of the client.
  if (form !== 'list' && !name.includes('-')) return undefined;
  const inFolder = form === 'command' ? commandInFolder(analysis, name) : undefined;
  if (inFolder !== undefined) return { name: inFolder };
  const meant = closestName(name, analysis.graph.names);
  return meant === undefined || analysis.clientFiles.some((one) => one.name === name) ? undefined : { name: meant };
}

/**
 * Returns the whole name of a command in a subfolder of `.claude/commands`, unless another command has the bare name
 * (observed: Claude Code 2.1.332).
 */
function commandInFolder(analysis: Analysis, name: string): string | undefined {
  const named = analysis.clientFiles.filter((one) => one.kind === 'command' && one.name === name);
  const [first] = named;
  const isOnlyDeep = named.every(({ below, root }) => below !== '' && root.endsWith('/.claude'));
  return first && isOnlyDeep ? `${first.below.replaceAll('/', ':')}:${name}` : undefined;
}

/** Returns the skill of a plugin in the workspace that `plugin:name` misspells; undefined for a correct name. */
function findMeantInPlugin(
  analysis: Analysis,
  namesIn: NamesInPlugin,
  plugin: string,
  name: string,
): MeantSkill | undefined {
  const known = namesIn(plugin);
  if (known) {
    const meant = known.includes(name) ? undefined : closestName(name, known);
    return meant === undefined ? undefined : { name: meant };
  }
  const other = closestName(
    plugin,
    analysis.plugins.all.map((one) => one.name),
  );
  return other !== undefined && namesIn(other)?.includes(name) ? { name, plugin: other } : undefined;
}

/** Returns the names of the skills, agents and commands of a plugin; undefined if the workspace has no such plugin. */
function namesOfPlugin(analysis: Analysis, plugin: string): readonly string[] | undefined {
  const skills = analysis.skillsOfPlugin(plugin);
  if (!skills) return undefined;
  const roots = new Set(analysis.plugins.named(plugin).map(({ root }) => root));
  return [
    ...skills.flatMap(({ uri, summary }) => [nameFromUri(uri), ...(summary.name === undefined ? [] : [summary.name])]),
    ...analysis.clientFiles.flatMap(({ root, name }) => (roots.has(root) ? [name] : [])),
  ];
}
