package io.headrace.media.resize;

/**
 * A resampling filter with antialiasing, as torchvision and Pillow have it: a function of the distance from the centre of an output
 * position, stretched when the picture shrinks.
 */
public enum Filter {
    /** Triangle of reach 1. */
    BILINEAR(1) {
        @Override
        double at(double x) {
            double distance = Math.abs(x);
            return distance < 1 ? 1 - distance : 0;
        }
    },
    /** Keys' cubic convolution with a = -0.5, reach 2. */
    BICUBIC(2) {
        @Override
        double at(double x) {
            double a = -0.5;
            double d = Math.abs(x);
            if (d < 1) {
                return ((a + 2) * d - (a + 3)) * d * d + 1;
            }
            return d < 2 ? (((d - 5) * d + 8) * d - 4) * a : 0;
        }
    };

    private final double reach;

    Filter(double reach) {
        this.reach = reach;
    }

    /** Weight at a distance, in output positions when shrinking and in input positions otherwise. */
    abstract double at(double x);

    /** Distance from which on the weight is 0. */
    double reach() {
        return reach;
    }
}
