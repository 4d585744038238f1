export type PasswordRefusal = "short_password" | "long_password" | "common_password";

const LENGTH_MIN = 6;
/** In UTF-16 units. A login with a longer one is refused without a hash. */
export const PASSWORD_LENGTH_MAX = 128;

export function checkPasswordRules(password: string): PasswordRefusal | null {
  if ([...password].length < LENGTH_MIN) return "short_password";
  if (password.length > PASSWORD_LENGTH_MAX) return "long_password";
  return COMMON_PASSWORDS.has(password.toLowerCase()) ? "common_password" : null;
}

/** The most common passwords of at least six characters, compared case-insensitively. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `000000 0000000 00000000 010203 101010 102030 111111 1111111 11111111 112233 11223344 121212 123123 123123123 123321 1234554321
  123454321 123456 1234567 12345678 123456789 1234567890 123456a 123456q 1234qwer 123654 123abc 123qwe 131313 159357 159753 1q2w3e
  1q2w3e4r 1q2w3e4r5t 1qaz2wsx 212121 222222 232323 252525 333333 444444 456789 555555 555666 654321 666666 696969 753951 777777 7777777
  789456 789456123 87654321 888888 88888888 987654 987654321 9876543210 999999 99999999 a123456 a1b2c3 a1b2c3d4 aa123456 aaaaaa abc123
  abc1234 abc12345 abcabc abcd1234 abcdef abcdefg abcdefgh access admin1 admin123 administrator adidas amanda america andrea andrew
  angel1 anthony arsenal asdasd asdf1234 asdfasdf asdfgh asdfghjkl ashley asshole austin azerty babygirl banana barcelona baseball
  basketball batman blessed blessing blink182 bond007 buster butterfly changeme charlie cheese chelsea chess123 chocolate chris1 christ
  computer cookie corvette cowboy daniel default diamond donald dragon eminem family ferrari flower football forever freedom friends
  fuckyou gabriel george ginger google guitar hannah harley hello1 hello123 heaven hockey hunter hunter2 iloveyou iloveyou1 internet
  jasmine jasper jennifer jessica jessie jesus1 jordan jordan23 joshua justin killer letmein letmein1 liverpool login123 london lovely
  loveme lovers maggie manager manchester marina martin master matrix matthew melissa merlin michael michelle monkey mother mustang
  naruto nicole nigeria nigeria1 ninja1 nothing orange pa55word pass123 pass1234 passw0rd password password1 password12 password123
  password1234 passwort patrick peanut pepper phoenix playboy player player1 please pokemon prince princess purple q1w2e3r4 qazwsx
  qazwsxedc qwaszx qwe123 qwer1234 qwerty qwerty1 qwerty12 qwerty123 qwertyui qwertyuiop ranger richard robert samantha samsung scooter
  secret secret123 shadow silver slayer snoopy soccer sophie spider starwars steelers steven stupid success summer sunshine superman
  taylor tennis test123 test1234 testing thomas thunder tigger trustno1 unknown victoria welcome welcome1 welcome123 whatever william
  winner winter yellow zaq12wsx zxcvbn zxcvbnm zxczxc`.split(/\s+/),
);
