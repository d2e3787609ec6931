/** The schemas that the build writes into `dist/schemas` (docs/exchange.md, "Schemas"). */
import { catalogKeys } from '../catalog-keys.ts';
import { hooksFileKeys, marketplaceKeys, pluginManifestKeys } from '../manifests/claude-code.ts';
import { geminiExtensionKeys } from '../manifests/others.ts';
import { skillKeys } from '../skill-keys.ts';
import { expectationKeys } from '../testing-keys.ts';
import { clientsReportKeys } from './clients-report-keys.ts';
import { packageKeys, skillMdKeys } from './dialect-keys.ts';
import { baselineKeys, clientsKeys, findingsKeys, lockKeys, recordKeys } from './generated-keys.ts';
import { jsonSchemaOf, type PublishedSchema, serviceSchema } from './json-schema.ts';
import { subgraphDefinitions, subgraphKeys } from './subgraph-keys.ts';

const publishedSchemas: readonly PublishedSchema[] = [
  {
    file: 'skill.schema.json',
    title: 'Skill',
    description: 'The frontmatter of a `.skill.md`, and a `.skill.yaml`.',
    keys: skillKeys,
    otherKeys: 'own',
    isYaml: true,
    also: serviceSchema,
  },
  {
    file: 'skill-md.schema.json',
    title: 'Agent skill',
    description: 'The frontmatter of a `SKILL.md`, from the open Agent Skills standard and its clients.',
    keys: skillMdKeys,
    otherKeys: 'any',
    isYaml: true,
  },
  {
    file: 'skills-config.schema.json',
    title: 'Catalog of a workspace',
    description: '`skills.config.yaml`: tools, scopes, callers, limits and severities.',
    keys: catalogKeys,
    otherKeys: 'own',
    isYaml: true,
    mayBeEmpty: true,
  },
  {
    file: 'expect.schema.json',
    title: 'Expectations of a sample',
    description: 'The `expect` of an entry of `samples`, which `skill-composer test` checks.',
    keys: expectationKeys,
    otherKeys: 'own',
    isYaml: true,
  },
  {
    file: 'findings.schema.json',
    title: 'Findings',
    description: 'The output of `skill-composer check --format json`.',
    keys: findingsKeys,
    otherKeys: 'none',
  },
  {
    file: 'skills-baseline.schema.json',
    title: 'Baseline of known findings',
    description: '`skills.baseline.json`: accepted findings, identified by data that does not change when lines move.',
    keys: baselineKeys,
    otherKeys: 'any',
  },
  {
    file: 'record.schema.json',
    title: 'Record of a skill',
    description: 'A skill as data that can be written again with the same bytes; `convert --to record` writes it.',
    keys: recordKeys,
    otherKeys: 'own',
  },
  {
    file: 'skills-lock.schema.json',
    title: 'Lock file of installed skills',
    description: '`skills.lock.json` at the root of a workspace: the installed skills.',
    keys: lockKeys,
    otherKeys: 'none',
  },
  {
    file: 'subgraph.schema.json',
    title: 'Subgraph of a composition',
    description: 'The steps to run: `composition.subgraph` in the output of `skill-composer compose --format json`.',
    keys: subgraphKeys,
    otherKeys: 'none',
    definitions: subgraphDefinitions,
  },
  {
    file: 'clients.schema.json',
    title: 'Facts about clients',
    description: '`docs/clients.json`: how each client treats a `SKILL.md`, with the source of each fact.',
    keys: clientsKeys,
    otherKeys: 'none',
  },
  {
    file: 'clients-report.schema.json',
    title: 'Skills in clients',
    description: 'The output of `skill-composer clients --format json`: how each client treats each skill.',
    keys: clientsReportKeys,
    otherKeys: 'none',
  },
  {
    file: 'package.schema.json',
    title: 'Legacy package of a skill',
    description: '`*.skill.json`, the older form of a skill with several artifacts.',
    keys: packageKeys,
    otherKeys: 'any',
  },
  {
    file: 'claude-plugin.schema.json',
    title: 'Plugin of Claude Code',
    description: '`.claude-plugin/plugin.json`, as Claude Code 2.1.332 reads it.',
    keys: pluginManifestKeys,
    otherKeys: 'any',
  },
  {
    file: 'claude-marketplace.schema.json',
    title: 'Marketplace of Claude Code',
    description: '`.claude-plugin/marketplace.json`, as Claude Code 2.1.332 reads it.',
    keys: marketplaceKeys,
    otherKeys: 'any',
  },
  {
    file: 'claude-hooks.schema.json',
    title: 'Hooks of a plugin of Claude Code',
    description: '`hooks/hooks.json` of a plugin, as Claude Code 2.1.332 reads it.',
    keys: hooksFileKeys,
    otherKeys: 'any',
  },
  {
    file: 'gemini-extension.schema.json',
    title: 'Extension of Gemini CLI',
    description: '`gemini-extension.json`, as Gemini CLI 0.61.0 reads it.',
    keys: geminiExtensionKeys,
    otherKeys: 'any',
  },
];

/** Returns the text of each schema by its file name. */
export const schemaTexts = (): ReadonlyMap<string, string> =>
  new Map(publishedSchemas.map((schema) => [schema.file, `${JSON.stringify(jsonSchemaOf(schema), undefined, 2)}\n`]));
