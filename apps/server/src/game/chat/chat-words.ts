/**
 * Abusive words of English, Pidgin, Yoruba, Igbo and Hausa, in the form to which `chat-filter.ts`
 * folds messages. Which words are listed how: docs/decisions/chat.md.
 */

const split = (words: string): readonly string[] => words.trim().split(/\s+/);

/** Blocked as whole words in any disguise, also with separated letters or written backwards. */
export const STRONG_WORDS: readonly string[] = split(`
  fuck fucker fuckers fucking motherfucker motherfucking shit shitty bullshit bitch cunt dickhead pussy whore slut
  bastard asshole nigger nigga faggot retard idiot wanker blowjob prostitute scumbag jackass dumbass blockhead
  mumu olodo oloshi olosho ashawo ashewo werey barawo daniska oloriburuku
`);

/** Blocked as whole words: separated or backwards they can mean something else ("o de", "Edo"). */
const ENGLISH = split(`
  fck fcuk fuk fukin fuking phuck phuk fuq stfu gtfo mofo biatch bitchy bitches kys shits shite shithead shithole shitface
  shithouse horseshit batshit dipshit cunts cunty arse arsehole asshat asswipe fatass badass smartass lardass
  dickface dickless dickwad dicksucker cocksucker cocksucking cockhead cocksuck pussies whores whoring slutty sluts wank wanking
  wankers twat twats bollocks bellend knobhead tosser pisshead piss pissing turd turds
  faggots fag fags faggy tranny trannies niggers niggas niggaz lesbo homo kaffir kaffirs wetback gook gooks raghead
  towelhead chingchong retarded retards spastic spaz moron imbecile imbecilic cretin dullard dunce nitwit idiotic
  ediot ediat idiat eediot harlot sonofabitch cuck
  rape raped raping rapist rapists anal anus cumshot penis vagina boob boobs titties dildo dildos porn porno pornhub
  orgasm orgasms orgy orgies incest jizz semen ejaculate masturbate masturbating masturbation handjob gangbang deepthroat
  doggystyle bestiality fellatio buttplug hentai fisting
`);
const PIDGIN = split("mugu suegbe ozuor ekuke blokos kpekus asewo akwuna akwunakwuna");
const YORUBA = split(`
  olosi oponu apoda didirin didinrin dindinrin arindin agbaya alakori oniranu onisokuso omoale weyre weyrey wehrey wereh
  kobokobo ajeokuta ajokuta
`);
const IGBO = split("efulefu iberibe nzuzu anuofia anuohia anumpama nyamiri yamiri");
const HAUSA = split(`
  yariska karuwa barauniya sakarai mahaukaci mahaukaciya shashasha uwaka uwaki uwarka uwarki ubanka ubanki dandaudu yanmirin
`);

export const WORDS: readonly string[] = [...STRONG_WORDS, ...ENGLISH, ...PIDGIN, ...YORUBA, ...IGBO, ...HAUSA];

/**
 * Names and everyday words too: Dick Tiger, tit for tat, a cock crows, Ode. Plain they are abusive
 * only in the phrases below; no one disguises an innocent word.
 */
export const AMBIGUOUS_WORDS: readonly string[] = split("dick ass cock tits ode prick negro");

/** Blocked inside any word, or at its beginning: no innocent word contains them there. */
export const STEMS = split("fuck idiot bastard ^ashawo ^ashewo ^oloshi ^olosho ^oloribu ^efulefu");

/** Innocent words that a listed word matches by a repeated letter, or an l for an i. */
export const INNOCENT_TWINS = split(
  "annal annals annus hommos muumuu muumuus pennis rappe rappes rapped rapping tittles twatt",
);

/** Words that stand beside others by themselves: no pieces of a separated word. */
export const WORDS_OF_THEIR_OWN = split("it hit who were we as hole do wo go us he is pen push ass her");

const YOU = "(you|u|yu|una|unu)";
const YOUR = "(your|ur|yr|ya|yo|una|you)";
const FAMILY = "(papa|mama|father|mother|fada|mada|dad|daddy|mum|mom|mummy|mommy|popsy|mumsy|generation|lineage)";
const PRIVATE = "(toto|nyash|nyansh|yansh|yash|obo|ikpu|breast|pussy|prick|penis|head)";
/** Insults only when a person is called that, not in fool's mate, ewu (danger) or o le (hard). */
const CALLED =
  "(fool(?! (me|him|her|us|them|people|around|yourself))|foolish|stupid|useless|senseless|brainless|shameless|worthless|ole|thief|yeye|kolo|dundee|dundee united|wawa|ewu|nkita|shege|banza|animal|monkey|baboon|pig|dog|dick|ass|cock|prick|hoe|hooker|negro|coon|chink|dyke|ode|anumanu|bush man|bush animal)";
const BAD = "(stupid|foolish|useless|senseless|brainless|shameless|worthless|wretched|yeye|nonsense|bloody|banza)";
const SOMEBODY = "(boy|girl|man|woman|person|pikin|child|human|fool|goat|animal|dog|thing|people|somebody)";
const POWER = "(god|thunder|tunder|tonda|amadioha|sango|shango|ogun|sopona|holy ghost)";
const STRIKE = "(punish|fire|faya|strike|kill|burn|scatter|blast|destroy|roast)";

/** Matched on word boundaries; `^` and `$` are the bounds of the message. */
export const PHRASES: readonly string[] = [
  `${YOU} ((are|r|re|be|dey|don|na|is) )?((a|an|one|such|just|so|very|too|big|real|this|that|bloody|old) ){0,3}${CALLED}`,
  `(youre|ur) ((a|an|such|just|so|very|too|big|real|bloody|old) ){0,3}${CALLED}`,
  `${YOU} (be|na) were`,
  `${BAD} ${SOMEBODY}`,
  "(my|your|ur|his|a|you|u|big|fat|small|tiny|little|hard|suck|lick|eat|ride|show) dick",
  "(your|ur|you|u|big|fat|small|tiny|little|hard|suck|lick|eat|ride) (cock|prick)",
  "(my|your|ur|his|her|you|u|big|fat|dumb|stupid|lazy|nice|lick|kiss|eat|show|whoop|kick) ass",
  "(your|ur|her|big|nice|show) tits",
  "(suck|sucks|sucking|suckin) (his|a|some|on|dick|cock)",
  "cum (on|in|inside) (me|you|my|your|ur|her|his)",
  "(have|want|wan|do|need|for) sex",
  "sex (with|me|chat|tape|video)",
  "piss off",
  "^(fu|f u)$",
  "(na|see|be|dey|such|werey|omo|olori) ode",
  "ode (ni|buruku|oshi|olodo|you|yi|yii)",
  "^ode( o)?$",
  "mad (man|woman|person|dog)",
  "^(fool|stupid|foolish|ewu|shege|banza|waka)( o)?$",
  "(coconut head|bush animal|bloody fool|big fool)",
  `${POWER} ((go|will|should|fit) )?${STRIKE} ${YOU}`,
  `${POWER} ((go|will|should|fit) )?${STRIKE} ${YOUR} (${FAMILY}|mouth|head|family|house)`,
  "amadioha (gbagbukwa|gbagbue|gbagbuo|magbukwa|magbue|kpagbue) gi",
  `(may|make) ${YOU} die`,
  `${YOU} (go|will) die (young|like|soon|for road)`,
  "^((oya|abeg|just|please) )?go (and )?die",
  "(kill|hang) (yourself|urself|yourselves)",
  "(go to|rot in|burn in) hell",
  "drop dead(?! gorgeous)",
  "suck my",
  `^((na|waka|fuck) )?${YOUR} ${FAMILY}( (there|like that|o))?$`,
  `(insult|curse|waka|knack|nack) ${YOUR} ${FAMILY}`,
  `${YOUR} ${FAMILY} ${PRIVATE}`,
  `${YOUR} (toto|pussy|blokos|kpekus)`,
  "^(iya|baba) (e|re)$",
  "(obo|oko) (iya|baba) (e|re)",
  "^(nne|nna) gi$",
  "(ikpu|ike|otu) nne gi",
  "amu nna gi",
  "uwar (ka|ki)",
  "uban (ka|ki)",
  "(gindin|durin|bura|burar|kutuma|kutumar) (uwa|uba|uwar|uban)",
  "were (ni e|ni o|dey disguise|alaso)",
  "(omo|bi) were",
  "omo (ale|ole)",
  "ole (ni e|lo je|buruku|barawo)",
  "olori buruku",
  "ori (e|re|yin) (o pe|ti baje|ti daru)",
  "ngbati ngbati",
  "kobo kobo",
  "onye (ara|oshi|ohi|nzuzu|iberibe)",
  "anu (ofia|ohia|mpama|mpam)",
  "ewu (gambia|hausa|awusa)",
  "(dan|yar|yan) (iska|banza)",
  "dan (shege|daudu)",
  "shege banza",
  "kai (wawa|jaki|kare|dabba|dolo|banza|shege)",
];

/** Innocent phrases that match above, removed first. */
export const ALLOWED_PHRASES: readonly string[] = [
  "mum u",
  "cum laude",
  "(an|the|this|my) ode",
  "ode to",
  "(ijebu|igbara|owo|oke) ode",
  "ode (omu|remo|irele|aye|ekiti|itsekiri|lemo|oja)",
  "homo (sapiens|erectus|habilis)",
  "kaffir lime",
  "(moby|spotted) dick",
  "dick (tiger|van|dyke|cheney|turpin|tracy|grayson|whittington|and)",
  "cock (a|and|crow|crows|crowed|fight)",
  "(blue|great|coal|willow) tits",
  "fools mate",
  "(isi|ofe|anu|nama) ewu",
  `(show|shown) ${YOU} shege`,
];
