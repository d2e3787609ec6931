/**
 * The commands and modules whose effects are known (docs/abilities.md, "Not analysed"). A command is harmless if its
 * manual describes no way to write, delete or send anything, or to start another program, with the allowed arguments.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Commands that are harmless with any arguments, including built-in commands of the shell. */
const ALWAYS = words(`
  : [ arch basename bc break cal cat cd cksum cmp column comm continue cut declare df diff dirname dirs du echo egrep
  exit expand export expr factor false fgrep fmt fold getconf getopts grep groups head hexdump id join let local locale
  logname ls md5sum nl nproc numfmt od paste popd pr printf pushd pwd read readlink readonly realpath return rev seq
  set sha1sum sha256sum sha512sum shasum shift shopt sleep stat strings sum tac tail test times tput tr true tsort tty type
  typeset umask uname unexpand unset users wait wc which whoami yes
`);

/**
 * Commands with the arguments that make them write files or start programs. GNU tools accept any unambiguous
 * abbreviation of a long option.
 */
const UNLESS: readonly (readonly [string, RegExp])[] = [
  ['base64', /^-[dDi]{0,3}o|^--o/],
  ['date', /^-[uRr]{0,4}s|^--s|^\d/],
  ['file', /^-[^-\s]{0,9}[CzZS]|^--(?:comp|unc|no-s)/],
  ['hash', /^-/],
  ['iconv', /^-[cs]{0,2}o|^--o/],
  ['jq', /(?<![.\w])env\b|\$ENV\b|\binput_filename\b|^-[^-\s]{0,9}[fL]|^--from-file/],
  ['mapfile', /^-[^-\s]{0,9}C/],
  ['readarray', /^-[^-\s]{0,9}C/],
  ['rg', /^--(?:pre|hostname-bin|search-zip)|^-[^-\s]{0,9}z/],
  ['shuf', /^-[^-\s]{0,9}o|^--o/],
  ['sort', /^-[^-\s]{0,9}[oT]|^--(?:o|co|t)/],
  ['tree', /^-[^-\s]{0,9}[oR]|^--output/],
];

/** The harmless commands, each with the arguments that make it not harmless. */
export const HARMLESS_COMMANDS: ReadonlyMap<string, RegExp | undefined> = new Map<string, RegExp | undefined>([
  ...ALWAYS.map((name) => [name, undefined] as const),
  ...UNLESS,
]);

/** A command that runs the command in its arguments. */
export interface Wrapper {
  /** True if the wrapper has no effects of its own. */
  readonly isHarmless: boolean;
  /** The options without a separate argument. */
  readonly flags: RegExp;
  /** The options whose argument is the next word. */
  readonly options: RegExp;
  /** The number of words between the options and the command. */
  readonly positionals: number;
}

const NONE = /^$/;

const wrapper = (flags: RegExp, options = NONE, positionals = 0, isHarmless = true): Wrapper => ({
  isHarmless,
  flags,
  options,
  positionals,
});

export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ['builtin', wrapper(NONE)],
  ['command', wrapper(/^-p$/)],
  ['doas', wrapper(/^-[ns]$/, /^-[uC]$/, 0, false)],
  ['env', wrapper(/^-[i0v]{0,3}$|^--(?:ignore-environment|null|debug)$|^--(?:unset|chdir)=|^[A-Za-z_]\w*=/, /^-[uC]$/)],
  ['exec', wrapper(/^-[cl]{1,2}$/, /^-a$/)],
  ['nice', wrapper(/^-n?-?\d+$|^--adjustment=/, /^-n$/)],
  ['nohup', wrapper(NONE, NONE, 0, false)],
  ['setsid', wrapper(/^-[cfw]{1,3}$/)],
  ['stdbuf', wrapper(/^-[ioe]\w+$/)],
  ['sudo', wrapper(/^-[AbEHiknPSs]{1,9}$|^[A-Za-z_]\w*=/, /^-[CDghpRTUu]$/, 0, false)],
  ['time', wrapper(/^-p$/)],
  ['timeout', wrapper(/^-v$|^--(?:foreground|preserve-status|verbose|kill-after=.*|signal=.*)$/, /^-[ks]$/, 1)],
  ['xargs', wrapper(/^-[0rtx]{1,4}$|^-[nPLIsdE].+$|^--(?:null|no-run-if-empty|verbose)$/, /^-[nPLIsdEJRS]$/)],
]);

/** Variables that change which code programs run. */
export const CODE_VARIABLES =
  /^(?:PATH|BASH_(?:ALIASES|CMDS|ENV)|BASHOPTS|SHELLOPTS|PS4|PROMPT_COMMAND|RIPGREP_CONFIG_PATH|PYTHON(?:PATH|HOME|STARTUP|INSPECT)|NODE_(?:OPTIONS|PATH)|(?:LD_|DYLD_|BASH_FUNC)\w*)$/;

/** An interpreter: the language of its scripts, and the options that do not change which code runs. */
export interface Interpreter {
  readonly language: 'shell' | 'python' | 'javascript';
  readonly flags: RegExp;
}

export const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map<string, Interpreter>([
  ...words('bash sh zsh ksh dash').map((name) => [name, { language: 'shell', flags: /^-[euxvE]{1,5}$/ }] as const),
  ...words('python python3').map((name) => [name, { language: 'python', flags: /^-[uBEsIO]{1,6}$/ }] as const),
  ...words('node bun tsx').map((name) => [name, { language: 'javascript', flags: NONE }] as const),
]);

/** Further programs that a code span may start with. Other code spans are commands only after words such as "run". */
export const PROGRAMS: ReadonlySet<string> = new Set([
  ...HARMLESS_COMMANDS.keys(),
  ...WRAPPERS.keys(),
  ...INTERPRETERS.keys(),
  ...words(`
    adb ansible ansible-playbook apk apt apt-get argocd asdf aws awk az bazel brew bundle bunx cargo cdk certbot chmod
    chown cmake composer conda consul convert cp crane crontab curl cypress dbt dd defaults dig dnf docker docker-compose
    doctl dotnet dropdb eksctl eslint eval fastlane ffmpeg find firebase flux flyctl ftp gcc gcloud gem gh git glab go
    gradle gsutil gunzip gzip helm helmfile heroku hg http hugo iptables istioctl java javac jest jest journalctl just
    k9s kill killall kind kubectl kubectx kustomize launchctl ln lsof make minikube mkdir mongosh mount mv mvn mysql
    mysqldump nc ncat netlify nginx nix nmap nomad npm npx nslookup oc op open openssl osascript packer pandoc patch perl
    pg_dump pg_restore php ping pip pip3 pipenv pipx pkill playwright pm2 pnpm poetry powershell prettier prisma ps psql
    pulumi pwsh pytest railway rails rake rclone redis-cli restic rm rmdir rsync ruby ruff rustup scp sed serverless
    service sftp shred skaffold snap snowsql sops source sqlcmd sqlite3 ssh ssh-keygen supabase svn swift systemctl tar
    tee telnet terraform terragrunt tofu touch trap truncate tsc turbo umount unzip uv uvx vagrant vault vercel vite
    vitest watch wget wrangler xcodebuild yarn yq yt-dlp yum zip
  `),
]);

/** Modules of Python's standard library that are harmless, except their members in `PYTHON_MEMBERS`. */
export const PYTHON_MODULES: ReadonlySet<string> = new Set(
  words(`
    __future__ abc argparse array ast base64 binascii bisect calendar cmath collections collections.abc colorsys
    configparser contextlib copy csv dataclasses datetime decimal difflib enum errno fnmatch fractions functools glob
    graphlib hashlib heapq hmac html html.entities html.parser itertools json keyword logging math numbers operator os os.path
    pathlib pprint queue random re reprlib secrets shlex stat statistics string struct sys textwrap time tomllib
    traceback typing unicodedata urllib.parse uuid warnings weakref zlib zoneinfo
  `),
);

/** The harmless members of modules that also have others. */
export const PYTHON_MEMBERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'os',
    new Set(
      words(`
        path environ getenv sep altsep extsep pathsep linesep curdir pardir devnull name getcwd listdir walk scandir
        stat lstat fspath access cpu_count getpid get_terminal_size PathLike error R_OK W_OK X_OK F_OK
      `),
    ),
  ],
  [
    'sys',
    new Set(
      words(`
        argv exit stdin stdout stderr version version_info platform maxsize maxunicode byteorder executable flags
        float_info getsizeof getdefaultencoding getrecursionlimit setrecursionlimit intern exc_info implementation
      `),
    ),
  ],
  [
    'logging',
    new Set(
      words(`
        getLogger basicConfig debug info warning error exception critical log Logger LoggerAdapter StreamHandler
        NullHandler Formatter Filter LogRecord DEBUG INFO WARNING ERROR CRITICAL NOTSET
      `),
    ),
  ],
  [
    'operator',
    new Set(
      words(`
        itemgetter add sub mul truediv floordiv mod pow neg and_ or_ xor not_ lt le eq ne ge gt contains concat countOf
        indexOf
      `),
    ),
  ],
  ['uuid', new Set(words('UUID uuid3 uuid4 uuid5 NAMESPACE_DNS NAMESPACE_URL NAMESPACE_OID'))],
  [
    'argparse',
    new Set(
      words(`
        ArgumentParser ArgumentError ArgumentTypeError Namespace Action ArgumentDefaultsHelpFormatter HelpFormatter
        RawDescriptionHelpFormatter RawTextHelpFormatter MetavarTypeHelpFormatter BooleanOptionalAction REMAINDER
        SUPPRESS OPTIONAL ZERO_OR_MORE ONE_OR_MORE
      `),
    ),
  ],
]);

/** Modules of Node.js that are harmless, except their members in `NODE_MEMBERS`. */
export const NODE_MODULES: ReadonlySet<string> = new Set(
  words(`
    assert assert/strict buffer crypto events fs fs/promises path path/posix path/win32 perf_hooks punycode querystring
    readline readline/promises string_decoder timers timers/promises url util util/types
  `),
);

const FILE_READS = words(`
  access accessSync constants createReadStream exists existsSync lstat lstatSync readFile readFileSync readdir
  readdirSync readlink readlinkSync realpath realpathSync stat statSync
`);

export const NODE_MEMBERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['fs', new Set([...FILE_READS, 'promises'])],
  ['fs/promises', new Set(FILE_READS)],
  ['crypto', new Set(words('createHash createHmac getHashes randomBytes randomInt randomUUID timingSafeEqual'))],
  [
    'process',
    new Set(
      words(`
        argv arch cwd emitWarning env exit exitCode hrtime memoryUsage nextTick on once pid platform stderr stdin stdout
        title uptime version versions
      `),
    ),
  ],
]);

/** The languages of fences with shell commands, with Python, with JavaScript, and with other code. */
export const FENCE_LANGUAGES: ReadonlyMap<string, 'shell' | 'python' | 'javascript' | 'other'> = new Map([
  ...words('bash sh shell zsh ksh console shell-session shellsession terminal').map((name) => [name, 'shell'] as const),
  ...words('python py python3 pycon').map((name) => [name, 'python'] as const),
  ...words('javascript js jsx mjs cjs typescript ts tsx mts cts node').map((name) => [name, 'javascript'] as const),
  ...words(`
    applescript awk bat batch c clojure cmd cpp cs csharp dart dockerfile elixir erlang fish fsharp go groovy haskell hcl
    java julia kotlin lua make makefile nix nu objective-c osascript perl php pl powershell ps1 psql pwsh r rb ruby rust
    scala sql swift terraform tf vb vbs zig
  `).map((name) => [name, 'other'] as const),
]);

/** Programs whose names are common words. In text, they are commands only with an option, a path or a file. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  words('convert go just kind make mount open patch play service source touch watch'),
);
