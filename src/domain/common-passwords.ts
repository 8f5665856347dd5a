// At least eight characters, lower case; shorter ones are rejected by length.
const words = `
00000000 01234567 0123456789 0987654321 11111111 1111111111 11223344 1122334455 12121212 123123123 1234512345 12341234
12345678 123456789 1234567890 12345678910 123456789a 123456789q 1234qwer 12344321 123qweasd 13131313 147258369 159753456
1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 22222222 55555555 66666666 77777777 87654321 88888888
987654321 9876543210 99999999 a1234567 a12345678 a123456789 aa123456 aa12345678 aaaaaaaa abc12345 abcd1234 abcdefgh abcdefg1
access14 adgjmptw admin123 admin1234 adminadmin administrator alejandra alexander alexandra american anderson angelina
anthony1 arsenal1 asdasdasd asdf1234 asdfasdf asdfghjk asdfghjkl asdfjkl; asd123456 babygirl barcelona baseball basketball
benjamin billybob blessed1 bulldogs business butthead caroline champion changeme changeme1 charlie1 charlotte chelsea1
chocolate christian christina christine computer cocacola cookies1 corvette courtney danielle december diamond1 dolphins
dragon123 einstein elephant elizabeth emmanuel estrella eternity fernando fireball firebird florence football football1
forever1 freedom1 friendship garfield gateway1 gfhjkm123 goldfish hardcore hello123 hellohello helloworld hercules
iloveyou iloveyou1 iloveyou2 iloveyou! infinity internet isabella jennifer jessica1 jonathan jordan23 justin123 kimberly
killer123 lasvegas letmein1 letmein! letmein123 liberty1 liverpool liverpool1 lollipop lovelove loveyou1 lucky123 marseille
maverick melissa1 mercedes metallica michael1 michelle midnight minecraft monkey12 monkey123 motorola mountain mustang1
myspace1 nicholas nintendo november p@ssw0rd p@ssword panasonic pass1234 passpass passw0rd password password! password.
password01 password1 password1! password12 password123 password1234 password2 password21 patricia patrick1 peekaboo
pokemon1 porsche1 precious princess princess1 q1w2e3r4 q1w2e3r4t5 qazwsx123 qazwsxedc qqqqqqqq qwaszx12 qwer1234 qwerasdf
qwert123 qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyui qwertyuiop qwe123qwe qweasdzxc qwerqwer rangers1 rebecca1
red12345 remember richard1 rockstar samantha samsung1 scarface scorpion secret123 security september serenity shadow123
simpsons slipknot snowball soccer12 softball spiderman spongebob startrek starwars starwars1 stephanie steelers strawberry
summer123 sunflower sunshine sunshine1 superman superman1 superstar sweetheart swordfish target123 tequiero test1234
testtest thailand thunder1 tinkerbell tottenham trinity1 trustno1 twilight valentina vanessa1 veronica victoria wall-e12
warcraft warrior1 welcome1 welcome123 welcome! whatever william1 williams windows1 winston1 winter123 xbox3601 xxxxxxxx
yankees1 yourmom1 zaq12wsx zaq1zaq1 zaqwsxcde zxcvbnm1 zxcvbnm123 zzzzzzzz
`;

export const commonPasswords: ReadonlySet<string> = new Set(words.split(/\s+/).filter((word) => word !== ''));
