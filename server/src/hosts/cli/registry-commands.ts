/** The commands on a registry of skills: what stands in front of the composer (docs/registry.md). */
import type { Command } from 'commander';
import { type Calling, folderOf, OUT, printing } from './calling.ts';
import type { Common, ForAudit, ForCatalog, ForMatch } from './command-options.ts';
import { AUDIT_STATUS, CATALOG_STATUS, MATCH_STATUS } from './status-texts.ts';

export function addRegistryCommands(program: Command, calling: Calling): void {
  program
    .command('match')
    .description('Ranks the skills that answer a request. PATH narrows them down; without one, the working folder.')
    .usage('REQUEST [OPTION…] [PATH…]')
    .argument('<REQUEST>')
    .argument('[PATH...]')
    .option('--top <N>', 'so many skills at most', '10')
    .option('--profile <NAME>', 'the caller, a profile of the catalog; without one, a caller who holds everything')
    .option(
      '--source <SOURCE>',
      'who invokes the skill: explicit, agent-selected, scheduled or authoring',
      'agent-selected',
    )
    .option('--channel <ID>', 'the channel; without one, the workspace')
    .option(...OUT)
    .addHelpText('after', MATCH_STATUS)
    .action(
      printing(calling)<ForMatch>(async ([request = '', ...paths], options, console) => {
        const { runMatch } = await import('./commands/match.ts');
        const { parseCount, parseFormat, parseWord } = await import('./words.ts');
        const { INVOCATION_SOURCES } = await import('../../skill/package-samples.ts');
        const format = parseFormat(options.format);
        const top = parseCount(options.top, '--top');
        const source = parseWord(options.source, INVOCATION_SOURCES, '--source');
        const cwd = await folderOf(options);
        const { config, profile, channel } = options;
        return runMatch({ cwd, paths, config, format, request, top, source, profile, channel }, console);
      }),
    );

  program
    .command('catalog')
    .description(
      'Prints what a planner is given to choose from: the contracts of the skills, within a budget of tokens.',
    )
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option('--request <TEXT>', 'only the skills that answer this request, the best first')
    .option('--top <NUMBER>', 'how many of them at most (default: 8)')
    .option('--max-tokens <NUMBER>', 'the most tokens that the prompt may have (default: 6000)')
    .option('--profile <NAME>', 'leave out what this caller, a profile of the catalog, may not use')
    .option('--out <FILE>', 'write the result to a file')
    .option('--check', 'compare with the file of --out in place of writing it')
    .addHelpText('after', CATALOG_STATUS)
    .action(
      calling<ForCatalog>(async (paths, options, console) => {
        const { CATALOG_FORMATS, runCatalog } = await import('./commands/catalog.ts');
        const { parseWord } = await import('./words.ts');
        const isGiven = program.getOptionValueSource('format') !== 'default';
        const format = isGiven ? parseWord(options.format, CATALOG_FORMATS, '--format') : 'prompt';
        const cwd = await folderOf(options);
        const { config, quiet = false } = options;
        return runCatalog({ cwd, paths, config, format, quiet, words: options }, console);
      }),
    );

  program
    .command('audit')
    .description(
      'Prints the review of a registry: skills that overlap, what their upkeep asks for, contracts with gaps.',
    )
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option('--threshold <NUMBER>', 'the least similarity of two descriptions, above 0 and up to 1')
    .option('--vectors <FILE>', 'embeddings to compare in place of words: a line `{"name", "vector"}` each')
    .option('--calls <FILE>', 'what was measured: a line `{"skill", "calls_per_day", "p95_ms"}` each')
    .option('--synthetic <NAME>', 'only print an input that fits the skill of this name')
    .option('--fail-on <SEVERITY>', 'the least severity that makes the exit status 1', 'error')
    .option('--today <DATE>', 'the day by which sunsets are judged; without one, the day that it is')
    .option(...OUT)
    .addHelpText('after', AUDIT_STATUS)
    .action(
      printing(calling)<ForAudit>(async (paths, options, console) => {
        const { AUDIT_FORMATS, runAudit } = await import('./commands/audit.ts');
        const { parseFailOn, parseToday, parseWord } = await import('./words.ts');
        const format = parseWord(options.format, AUDIT_FORMATS, '--format');
        const failOn = parseFailOn(options.failOn);
        const today = parseToday(options.today);
        const cwd = await folderOf(options);
        return runAudit({ cwd, paths, config: options.config, format, failOn, today, words: options }, console);
      }),
    );
}

// The command that takes the tools of servers in (docs/tools.md).

interface ForPull extends Common {
  readonly server: readonly string[];
  readonly input: readonly string[];
  readonly yes?: true;
  readonly check?: true;
  readonly timeout?: string;
}

const collect = (word: string, before: readonly string[]): readonly string[] => [...before, word];

export function addToolsCommand(program: Command, calling: Calling): void {
  program
    .command('tools')
    .description('Takes the tools of MCP servers in: `tools pull`.')
    .usage('pull [OPTION…]')
    .helpCommand(false)
    .command('pull')
    .description(
      'Asks the servers that catalogs name for their tools, and writes them to `skills.tools.json` beside the catalog.',
    )
    .usage('[OPTION…]')
    .option('--server <NAME>', 'only this server; may be repeated', collect, [])
    .option('--yes', 'start and call the servers without a question')
    .option('--check', 'write nothing; the exit status is 1 where the snapshot differs')
    .option('--timeout <SECONDS>', 'the most time that a server may take (default: 120, of which 60 to connect)')
    .option('--input <ID=VALUE>', 'the value of an input that a configuration asks for; may be repeated', collect, [])
    .addHelpText('after', PULL_STATUS)
    .action(
      calling<ForPull>(async (_, options, console) => {
        const { PULL_FORMATS, runPull } = await import('./commands/tools-pull.ts');
        const { parseCount, parseWord } = await import('./words.ts');
        const format = parseWord(options.format, PULL_FORMATS, '--format');
        const seconds = options.timeout === undefined ? undefined : parseCount(options.timeout, '--timeout');
        const cwd = await folderOf(options);
        const { config, quiet = false, server, input, yes = false, check = false } = options;
        const how = { yes, check, seconds, servers: server, inputs: input };
        return runPull({ cwd, config, format, quiet, ...how }, console);
      }),
    );
}

const PULL_STATUS = `
What is going to be started and called is listed first; without a terminal to ask at, --yes is needed.
Exit status: 0 every server has answered, 1 one has not, or with --check the snapshot differs, 2 wrong usage.`;
